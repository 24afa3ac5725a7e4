import { buildColumns } from '#kit/web/columns.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { inspectionState } from '../contract/choices.ts'
import { exportInspections, roomInspections } from '../contract/inspection.ts'
import { passedStates } from '../domain/inspection.ts'
import { printSheet } from './sheet-actions.ts'
import { SheetContent } from './sheet-content.tsx'

const columns = buildColumns(roomInspections.list.output, [
  { key: 'sheetNo', identity: true },
  { key: 'roomPath', grow: 2 },
  'standardName',
  { key: 'round', hidePriority: 2 },
  { key: 'recheckCount', hidePriority: 2 },
  'inspectorName',
  'endTime',
  { key: 'ownerPresent', hidePriority: 1 },
  'problemCount',
  'state',
])

/** 已验房: rooms that have passed, at once or after a recheck. */
export default function PassedPage() {
  return (
    <ListPage
      list={roomInspections.list}
      itemName="验房单"
      columns={columns}
      fixedFilter={{ states: passedStates }}
      filters={['buildCode', 'standardId', 'inspectorId', 'endTime', 'roomCode', 'problemCount']}
      barFilters={['buildCode', 'inspectorId', 'endTime']}
      settingsKey="room-inspection/passed"
      rowActions={sheet => [{ label: '打印', run: () => printSheet(sheet.id) }]}
      export={exportInspections}
      drawer={{
        width: 880,
        title: sheet => `${sheet.sheetNo} ${sheet.roomPath ?? ''}`,
        status: sheet => <ChoiceStatus choices={inspectionState} value={sheet.state} />,
        loadCall: roomInspections.get,
        afterGroups: sheet => <SheetContent sheet={sheet} />,
        historyEntity: 'roomInspection',
      }}
    />
  )
}
