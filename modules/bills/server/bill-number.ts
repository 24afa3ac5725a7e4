/** What the numbers of bills and of batches of them begin with (G-14). */
export const billPrefix = 'ZD'
export const batchPrefix = 'PC'
