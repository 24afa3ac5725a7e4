/** The payment methods of a receipt in words, for other modules' lists. */
export { describeMethod, formatMethods } from './format-methods.ts'
