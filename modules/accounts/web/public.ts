import { later } from '#kit/web/later.tsx'

/** A document on its paper, fetched when something is printed. */
export const PrintSheet = later(() => import('./print-sheet.tsx').then(m => m.PrintSheet))
export type { PrintColumn, PrintContent, PrintFact, PrintPaper } from './print-sheet.tsx'
export { printSamples } from './print-lent.ts'
export { sizeOf } from '../domain/print.ts'
