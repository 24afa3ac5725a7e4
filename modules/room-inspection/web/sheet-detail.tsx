import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { useSession } from '#kit/web/session.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { inspectionState } from '../contract/choices.ts'
import { roomInspections } from '../contract/inspection.ts'
import { sheetActions } from './sheet-actions.ts'
import { SheetContent } from './sheet-content.tsx'

export default function SheetDetailPage() {
  const myId = useSession(s => s.signed?.manager.id)
  return (
    <DetailPage
      loadCall={roomInspections.get}
      title={sheet => `${sheet.sheetNo} ${sheet.roomPath ?? ''}`}
      status={sheet => <ChoiceStatus choices={inspectionState} value={sheet.state} />}
      actions={sheet => sheetActions(sheet, Number(myId))}
      afterGroups={sheet => <SheetContent sheet={sheet} />}
      historyEntity="roomInspection"
    />
  )
}
