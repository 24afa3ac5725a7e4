export { setMonthRightLookup, type MonthRightLookup } from './month-right.ts'
