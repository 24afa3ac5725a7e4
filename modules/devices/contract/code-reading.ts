// What the gateways and the server decide of the reading of a code alike, with and without a line (VIS-2).

/** A reader reads a code that is held before it several times: within so long it is one entrance. */
export const sameEntranceMs = 3000

/** No gateway is without a line for so many days and comes back; no code is good for longer. */
export const keptReadingDays = 120

export const usedUpText = '可通行次数已用完，请邀请人重新邀请'

export const justOpenedText = '门刚打开，请直接通行'
