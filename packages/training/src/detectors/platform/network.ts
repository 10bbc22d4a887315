/**
 * # A server could not be reached
 *
 * ## What
 * The run ended because a host, a name or a service outside of it did not answer.
 *
 * ## Why
 * Compute nodes without a route to the internet, proxies, a hub that is down or refuses more requests.
 *
 * ## Example
 * `OSError: [Errno 101] Network is unreachable`, `Temporary failure in name resolution`, `503 Server Error`.
 *
 * ## Stays silent
 * Between ranks of one run (see missing rank), and where the server says that the thing asked for is not there.
 */
import { isConsequence } from '../../ranks/lost/consequence.js';
import { defineDetector } from '../define.js';
import { fromFailure, pathOf } from '../shared/match.js';

const unreachable =
  /^(?:BrokenPipe|Timeout|URL)Error\b|^\w*Connect(?:ion|or)?s?(?:[A-Z][a-z]+)*(?:Error|Exception|Lost)\b|Network is unreachable|No route to host|Errno (101|104|110|111|113)|WinError 100(5[0-4]|6[0145])\b|name resolution|could not resolve host|unable to resolve host|Name or service not known|nodename nor servname|getaddrinfo failed|Max retries exceeded|Failed to establish a new connection|(50[0234]|429) (Server|Client) Error|HTTP Error (30[1278]|40[378]|429|50[0234])|\b50[0234] (GET|POST|PUT|HEAD)\b|^ServiceUnavailable|Bad Gateway|Gateway Time-?out|Connection broken: |IncompleteRead\(|Too Many Requests|Couldn't (connect|reach)|couldn't connect to|cannot connect to (host|proxy)|Connect call failed|Connection error, and we cannot find|check your (internet |network )?connection|^(Proxy|RemoteDisconnected|ServerDisconnected|ClientConnector|EndpointConnection)\w*|SSLError|CERTIFICATE_VERIFY_FAILED|(Read|Connect)Timeout|Read timed out|offline mode is enabled/i;

export const network = defineDetector({
  id: 'platform/network',
  subcause: 'network',
  role: 'root',
  signal: 'text',
  needs: ['text'],
  detect: (_record, _features, { view }) =>
    fromFailure(view, unreachable, {
      strength: 0.88,
      when: (failure) =>
        !/nccl|gloo|c10d|rendezvous|TCPStore/i.test(failure.text) &&
        !/distributed|multiprocessing/.test(pathOf(failure)) &&
        !isConsequence(failure),
    }),
});
