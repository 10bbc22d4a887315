// The heartbeat of a kernel whose process is not ours: it echoes what it is sent, from a thread that runs even while a
// cell does. A closed connection plus one missed echo is a death; a long silence on an open one is, too.
import { Request } from 'zeromq';
import { type Connection, endpoint } from './connection-file.js';

const period = 1_000;
// Counted in beats and not by the clock, so that a pause of our own process is not taken for one of the kernel's.
const missedWhenDisconnected = 2;
const missedWhenConnected = 30;

export class Heartbeat {
  private readonly socket: Request;
  private readonly timer: NodeJS.Timeout;
  private missed = 0;
  private disconnected = false;
  /** True after the first echo. */
  heard = false;
  private waiting = false;
  private closed = false;

  constructor(
    connection: Connection,
    private readonly onSilence: () => void,
  ) {
    this.socket = new Request({ linger: 0, relaxed: true, correlate: true, reconnectInterval: 100 });
    this.socket.events.on('disconnect', () => {
      this.disconnected = true;
    });
    this.socket.connect(endpoint(connection, 'hb_port'));
    this.timer = setInterval(() => this.beat(), period);
    this.timer.unref();
    this.beat();
  }

  close(): void {
    if (!this.closed) {
      this.closed = true;
      clearInterval(this.timer);
      this.socket.close();
    }
  }

  private beat(): void {
    if (!this.waiting) {
      this.waiting = true;
      void this.exchange();
      return;
    }
    this.missed += 1;
    if (this.missed > (this.disconnected ? missedWhenDisconnected : missedWhenConnected)) {
      this.close();
      this.onSilence();
    }
  }

  private async exchange(): Promise<void> {
    try {
      await this.socket.send('ping');
      await this.socket.receive();
      this.missed = 0;
      this.disconnected = false;
      this.heard = true;
    } catch {
      // A closed socket ends the wait; silence is judged by the count.
    } finally {
      this.waiting = false;
    }
  }
}
