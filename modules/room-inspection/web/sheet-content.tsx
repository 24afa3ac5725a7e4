import type { RoomInspection } from '../contract/inspection.ts'
import { SheetChecks } from './sheet-checks.tsx'
import { SheetFindings } from './sheet-findings.tsx'

/** A sheet item by item as it is, and each check that led there. */
export const SheetContent = ({ sheet }: { readonly sheet: RoomInspection }) => (
  <>
    <SheetFindings sheet={sheet} />
    {sheet.startTime !== undefined && <SheetChecks inspectionId={sheet.id} />}
  </>
)
