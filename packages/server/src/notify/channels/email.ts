// A plain e-mail over SMTP.
import { createTransport } from 'nodemailer';
import type { ChannelOf } from '../config.js';
import { type Delivery, type Message, mostMs } from '../delivery.js';

interface SmtpError extends Error {
  /** What was being said to the server. */
  readonly command?: string;
  readonly responseCode?: number;
}

export async function sendEmail(
  { smtp, from, to }: ChannelOf<'email'>,
  { id, title, text }: Message,
): Promise<Delivery> {
  const times = { connectionTimeout: mostMs, greetingTimeout: mostMs, socketTimeout: mostMs };
  const transport = createTransport({ url: smtp, ...times, disableFileAccess: true, disableUrlAccess: true });
  try {
    await transport.sendMail({ from, to, subject: title, text, messageId: `<${id}@grus>` });
    return { kind: 'sent' };
  } catch (error) {
    return problemOf(error as SmtpError);
  } finally {
    transport.close();
  }
}

function problemOf({ message, command, responseCode }: SmtpError): Delivery {
  if (responseCode !== undefined)
    return { kind: responseCode < 500 ? 'again' : 'refused', reason: `it answered ${responseCode}` };
  return { kind: command === 'CONN' ? 'again' : 'unclear', reason: message };
}
