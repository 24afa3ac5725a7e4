import { codes } from '#kit/server/sql.ts'
import { billState } from '../contract/choices.ts'

/** Bills that occupy their period: no second bill of the object and item may cover those days (GEN-2). */
export const effectiveStates = codes(billState, 'pending', 'normal', 'writtenOff')

/** Bills that somebody still has to pay or has paid, and that may be abolished (C3.1). */
export const activeStates = codes(billState, 'pending', 'normal')
