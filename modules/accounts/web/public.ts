import { lazyComponent } from '#kit/web/lazy-component.tsx'

/** A document on its paper, fetched when something is printed. */
export const PrintSheet = lazyComponent(() => import('./print-sheet.tsx').then(m => m.PrintSheet))
/** Menus and what may be done in them, to look at or to choose. */
export const PermissionGrid = lazyComponent(() => import('./permission-grid.tsx').then(m => m.PermissionGrid))
export type { PrintColumn, PrintContent, PrintFact, PrintPaper } from './print-sheet.tsx'
export { handoverColumns, namedPart, noAmount, signaturesOf } from './document-texts.ts'
export { printPreviewSources } from './print-preview-sources.ts'
export { getPaperDimensions } from '../domain/print-settings.ts'
