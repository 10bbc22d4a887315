// The version of Grus; `npm run set-version` writes it here and into every manifest.
export const version = '0.1.0';
