import { useState } from 'react'
import { labelOf, type ChoiceOf } from '#kit/contract/field.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { actionDialog } from '#kit/web/form/action-dialog.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { createReasonAction, sendAndInvalidate, toastResult } from '#kit/web/record-actions.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { send } from '#kit/web/send.ts'
import { ChoiceStatus } from '#kit/web/status.tsx'
import { standardSet } from '../contract/choices.ts'
import {
  addStandardSet,
  copyStandard,
  exportItems,
  exportStandards,
  getStandardForm,
  importItems,
  inspectionItems,
  inspectionStandards,
  saveStandardForm,
  type InspectionStandard,
} from '../contract/standard.ts'
import { menu } from '../module.ts'

const columns = buildColumns(inspectionStandards.list.output, [
  { key: 'standardName', identity: true, grow: 2 },
  'roomTypes',
  'itemCount',
  'state',
])
const itemColumns = buildColumns(inspectionItems.list.output, [
  'part',
  'itemName',
  { key: 'method', grow: 2 },
  'sort',
])
const remove = createReasonAction(inspectionStandards.delete, {
  unit: '个验房标准',
  nameOf: (standard: InspectionStandard) => standard.standardName,
})
const CopyDialog = actionDialog({
  call: copyStandard,
  title: (standard: InspectionStandard) => `复制「${standard.standardName}」`,
  submitLabel: '复制',
  keys: ['standardName'],
  target: standard => ({ id: standard.id }),
  initial: standard => ({ standardName: `${standard.standardName}（副本）` }),
  doneText: (_, copy) => `已新增「${copy.standardName}」`,
})

const addSet = async (set: ChoiceOf<typeof standardSet>): Promise<void> => {
  const added = await sendAndInvalidate(addStandardSet, { standardSet: set })
  toastResult(added, `已新增「${added.standardName}」`)
}

const ItemList = ({ standard }: { readonly standard: InspectionStandard }) => (
  <ListPage
    embedded
    list={inspectionItems.list}
    itemName="查验项"
    columns={itemColumns}
    fixedFilter={{ standardId: [String(standard.id)] }}
    filters={[]}
    export={exportItems}
  />
)

/** 验房标准: what rooms are inspected by, item by item. */
export default function StandardsPage() {
  const [copied, copy] = useState<InspectionStandard>()
  const form = useEdit({
    itemName: '验房标准',
    add: saveStandardForm,
    edit: saveStandardForm,
    load: (id): Promise<InspectionStandard> => send(getStandardForm, { id }, { quiet: true }),
    nameOf: (standard: InspectionStandard) => standard.standardName,
    presentation: 'drawer',
    groups: [{ keys: ['standardName', 'roomTypes', 'orderTypeId', 'state'] }, { keys: ['items'] }],
  })
  return (
    <>
      <ListPage
        list={inspectionStandards.list}
        itemName="验房标准"
        columns={columns}
        primaryAction={form.addAction}
        toolbarActions={(['bare', 'decorated'] as const).map(set => ({
          label: `新增${labelOf(standardSet, set)}模板`,
          needs: menu.standard.permissions.add,
          run: () => addSet(set),
        }))}
        rowActions={standard => [
          form.editAction(standard),
          { label: '复制', needs: menu.standard.permissions.add, run: () => copy(standard) },
          remove.row(standard),
        ]}
        batchActions={[remove.batch]}
        isDimmed={standard => standard.state === 'off'}
        import={importItems}
        export={exportStandards}
        drawer={{
          width: 880,
          title: standard => standard.standardName,
          status: standard => <ChoiceStatus choices={enabledState} value={standard.state} />,
          tabs: [
            {
              key: 'items',
              label: standard => `查验项 ${standard.itemCount ?? 0}`,
              body: standard => <ItemList standard={standard} />,
            },
          ],
          historyEntity: 'inspectionStandard',
        }}
      />
      {form.dialog}
      {copied && <CopyDialog record={copied} onClose={() => copy(undefined)} />}
    </>
  )
}
