import { buildColumns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { createReasonAction } from '#kit/web/record-actions.ts'
import { deleteTitles, editTitle, listTitles, type InvoiceTitle } from '../contract/title.ts'
import { menu } from '../module.ts'
import { findTitleFaults, titleFormFields } from './title-form.tsx'

const titleColumns = buildColumns(listTitles.output, [
  { key: 'title', identity: true, width: 200, grow: 1 },
  'titleType',
  { key: 'taxNo', width: 180 },
  { key: 'payerName', width: 120 },
  { key: 'addressPhone', hidePriority: 2 },
  { key: 'bankAccount', hidePriority: 2 },
  { key: 'email', hidePriority: 1 },
  { key: 'lastTime' },
])

const deleteAction = createReasonAction(deleteTitles, {
  unit: '个抬头',
  nameOf: (title: InvoiceTitle) => title.title,
})
const titleGroups = [{ keys: titleFormFields([]).map(field => ({ ...field, help: undefined })) }]

/** 抬头 that payers have used. */
export function TitleList() {
  const form = useEdit({
    itemName: '抬头',
    edit: editTitle,
    isRowComplete: true,
    nameOf: (title: InvoiceTitle) => title.title,
    groups: titleGroups,
    rules: values => findTitleFaults({ ...values, kind: 'eNormal' }),
    presentation: 'drawer',
  })
  return (
    <>
      <ListPage
        embedded
        pageSize={20}
        settingsKey="invoices.titles"
        list={listTitles}
        itemName="抬头"
        keywordPlaceholder="抬头/缴费人"
        columns={titleColumns}
        filters={['titleType', 'lastTime']}
        barFilters={['titleType']}
        rowActions={title => [
          form.editAction(title),
          { ...deleteAction.row(title), needs: menu.invoice.permissions.open },
        ]}
      />
      {form.dialog}
    </>
  )
}
