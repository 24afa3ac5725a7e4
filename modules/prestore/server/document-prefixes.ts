/** What the numbers of this module's documents begin with (G-14). */
export const accountPrefix = 'YC'
export const transferPrefix = 'YCZ'
