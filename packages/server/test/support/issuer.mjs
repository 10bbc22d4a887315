// A real OpenID Connect provider as a process of its own: node issuer.mjs PORT ADDRESS-OF-THE-SERVER. Who signs in as NAME is in the groups that
// follow it: ann+vision-team+platform. Its own pages ask for the name, and take any password.
import Provider from 'oidc-provider';

const [port, address] = process.argv.slice(2);
const issuer = `http://127.0.0.1:${port}`;

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'grus',
      client_secret: 'a secret that is only for tests',
      redirect_uris: [`${address}/oidc/callback`],
      post_logout_redirect_uris: [`${address}/login`],
    },
  ],
  cookies: { keys: ['only for tests'] },
  claims: { email: ['email', 'email_verified'], groups: ['groups'] },
  scopes: ['openid', 'email', 'groups'],
  pkce: { required: () => true },
  findAccount: (_context, login) => {
    const [name, ...groups] = login.split('+');
    const claims = { sub: login, email: `${name}@team.example`, email_verified: true, groups };
    return { accountId: login, claims: () => claims };
  },
  // Nobody is asked whether they agree.
  loadExistingGrant: async ({ oidc }) => {
    const grant = new oidc.provider.Grant({
      clientId: oidc.client.clientId,
      accountId: oidc.session.accountId,
    });
    grant.addOIDCScope('openid email groups');
    await grant.save();
    return grant;
  },
});

provider.listen(Number(port), '127.0.0.1');
