// Reasons as they come over the wire from the agent.
import { isReason, type Reason } from '@grus/core';
import { z } from 'zod';

export const reason = z.custom<Reason>(isReason, 'not a reason that both sides know');
