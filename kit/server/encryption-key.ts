/** The length of the key that encrypts values. */
export const keyBytes = 32
