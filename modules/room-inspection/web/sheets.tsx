import { useState } from 'react'
import { useNavigate } from 'react-router'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { EditDialog, useEdit } from '#kit/web/form/use-edit.tsx'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import { reportBulkResult } from '#kit/web/report-bulk-result.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { useSend } from '#kit/web/query.ts'
import { useSession } from '#kit/web/session.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { inspectionState } from '../contract/choices.ts'
import {
  addInspections,
  exportInspections,
  roomInspections,
  type RoomInspection,
} from '../contract/inspection.ts'
import { canDo } from '../domain/inspection.ts'
import { menu, paths } from '../module.ts'
import { openPhone, removeSheet, sheetActions } from './sheet-actions.ts'
import { SheetContent } from './sheet-content.tsx'

const columns = buildColumns(roomInspections.list.output, [
  { key: 'sheetNo', identity: true },
  { key: 'roomPath', grow: 2 },
  { key: 'standardName', wideOnly: true, hidePriority: 1 },
  { key: 'round', hidePriority: 2 },
  'inspectorName',
  'planDate',
  { key: 'startTime', wideOnly: true, hidePriority: 1 },
  { key: 'endTime', hidePriority: 1 },
  'problemCount',
  'openCount',
  'state',
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'waiting', name: '待查', filter: { state: ['waiting'] } },
  { id: 'inspecting', name: '查验中', filter: { state: ['inspecting'] } },
  { id: 'rectifying', name: '待整改', filter: { state: ['rectifying'] } },
  { id: 'rectified', name: '待复查', filter: { state: ['rectified'] } },
  { id: 'passed', name: '已合格', filter: { state: ['passed', 'recheckPassed'] } },
]

const batchGroups: readonly FormFieldGroup[] = [
  {
    title: '验房范围',
    keys: [
      { key: 'buildCode', isHidden: hasRooms },
      { key: 'unitName', isHidden: values => hasRooms(values) || !values.buildCode },
      { key: 'roomCodes', wide: true, isHidden: values => Boolean(values.buildCode) },
    ],
  },
  { title: '查验安排', keys: ['standardId', 'inspectorId', 'planDate'] },
]

function hasRooms({ roomCodes }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(roomCodes) && roomCodes.length > 0
}

/** One sheet per room, by building, unit or chosen rooms. */
function BatchDialog({ onClose }: { readonly onClose: () => void }) {
  const submit = useSend(addInspections, { quiet: true })
  return (
    <EditDialog
      shape={addInspections.input}
      draftKey={draftKeyOf(addInspections, 'new')}
      title="批量生成验房单"
      groups={batchGroups}
      submitLabel="生成验房单"
      presentation="dialog"
      rules={values =>
        values.buildCode || values.roomCodes?.length ? undefined : { buildCode: '请选择楼栋，或选择房屋' }
      }
      save={values => submit.mutateAsync(values)}
      onClose={onClose}
      onDone={answer => {
        reportBulkResult(answer, '生成验房单结果')
        onClose()
      }}
    />
  )
}

/** 验房单: by state, with what each can go on with. */
export default function SheetsPage() {
  const navigate = useNavigate()
  const myId = useSession(s => s.signed?.manager.id)
  const [isAdding, setAdding] = useState(false)
  const form = useEdit({
    itemName: '验房单',
    edit: roomInspections.edit,
    isRowComplete: true,
    nameOf: (sheet: RoomInspection) => sheet.sheetNo,
    groups: [{ keys: ['standardId', 'inspectorId', 'planDate', 'remark'] }],
    editDisabledReason: sheet => (canDo('edit', sheet.state) ? undefined : '已开始查验，不能修改'),
  })
  return (
    <>
      <ListPage
        list={roomInspections.list}
        itemName="验房单"
        columns={columns}
        views={views}
        barFilters={['buildCode', 'inspectorId', 'planDate']}
        filters={[
          'state',
          'buildCode',
          'standardId',
          'inspectorId',
          'planDate',
          'endTime',
          'roomCode',
          'problemCount',
        ]}
        primaryAction={{
          label: '批量生成',
          needs: menu.sheet.permissions.add,
          run: () => setAdding(true),
        }}
        toolbarActions={[
          { label: '手机验房', needs: menu.sheet.permissions.inspect, run: () => openPhone() },
        ]}
        rowActions={sheet => [
          ...sheetActions(sheet, Number(myId)),
          { label: '详情', run: () => void navigate(`${paths.detail}?id=${sheet.id}`) },
          form.editAction(sheet),
          removeSheet.row(sheet),
        ]}
        batchActions={[removeSheet.batch]}
        export={exportInspections}
        drawer={{
          width: 880,
          title: sheet => `${sheet.sheetNo} ${sheet.roomPath ?? ''}`,
          status: sheet => <ChoiceStatus choices={inspectionState} value={sheet.state} />,
          loadCall: roomInspections.get,
          afterGroups: sheet => <SheetContent sheet={sheet} />,
          historyEntity: 'roomInspection',
          openAsPage: sheet => void navigate(`${paths.detail}?id=${sheet.id}`),
        }}
      />
      {form.dialog}
      {isAdding && <BatchDialog onClose={() => setAdding(false)} />}
    </>
  )
}
