import type { DocType } from '../domain/print.ts'
import type { PrintContent } from './print-sheet.tsx'

/** The newest real document of a kind, for the preview; nothing where there is none yet or it may not be seen. */
export type Sample = (project: string | undefined) => Promise<PrintContent | undefined>
const lent = new Map<DocType, Sample>()
/** Said by the module that prints the kind, from its `provides.ts`. */
export const lendSample = (kind: DocType, s: Sample): void => { lent.set(kind, s) }
export const sampleOf = (kind: DocType): Sample | undefined => lent.get(kind)
