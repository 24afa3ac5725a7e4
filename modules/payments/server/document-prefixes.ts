/** What the numbers of this module's documents begin with (G-14). */
export const orderPrefix = 'DD'
export const paymentPrefix = 'SK'
/** The negative record of what was refunded; the request for it has a number of its own. */
export const payOutPrefix = 'TK'
export const refundPrefix = 'TKD'
export const handoverPrefix = 'JZ'
