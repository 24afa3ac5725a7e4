import { addDays, type Day } from '#kit/domain/day.ts'

/** A code opens for a week: a photo of it is of use to nobody for longer. */
const codeDays = 7

/** Digits: readers take a code for the number of a card, and nobody guesses it. */
export const codeLength = 16

export const lastDayOfCode = (issued: Day): Day => addDays(issued, codeDays - 1)

/** Replaced as it is shown on its last day, while the old one would still open: nobody is kept waiting. */
export const isCodeDue = (endDate: Day, today: Day): boolean => endDate <= today
