/** What the numbers of deposits begin with (G-14). */
export const depositPrefix = 'YJ'
