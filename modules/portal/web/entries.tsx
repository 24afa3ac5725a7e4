import { labelOf } from '#kit/contract/field.ts'
import { defineColumns } from '#kit/web/columns.tsx'
import { crudPages, type CrudPages } from '#kit/web/crud/crud-pages.tsx'
import { defineFormGroups } from '#kit/web/form/form-fields.tsx'
import { sendAndInvalidate, sendAndToast } from '#kit/web/record-actions.ts'
import { reportBulkResult } from '#kit/web/report-bulk-result.tsx'
import { entryState } from '../contract/choices.ts'
import {
  imageTexts,
  projects,
  services,
  websites,
  type portalEntries,
  type PortalEntry,
} from '../contract/entry.ts'

type Entries = (typeof portalEntries)[number]

interface EntryTexts {
  /** Measure word and noun: `个网站`. */
  readonly unit: string
  readonly itemName: string
}

const columns = defineColumns<PortalEntry>()([
  { key: 'title', identity: true, grow: 2 },
  { key: 'category', width: 120 },
  { key: 'linkUrl', grow: 2, hidePriority: 1 },
  {
    key: 'topSort',
    title: '置顶',
    width: 80,
    text: row => (row.topSort ? String(row.topSort) : ''),
    render: row => row.topSort || '',
  },
  { key: 'sort', width: 80 },
  'state',
])

const groups = defineFormGroups([
  {
    keys: [
      'title',
      'category',
      { key: 'linkUrl', wide: true, help: '以 https:// 开头，在新窗口打开' },
      { key: 'content', wide: true },
      'cover',
      { key: 'sort', help: '数值小的排在前；置顶的排在最前' },
      'state',
    ],
  },
])

const list = {
  filters: ['category', 'state'],
  barFilters: ['category'],
  views: [
    { id: '', name: '启用', filter: { state: ['on'] } },
    { id: 'off', name: '停用', filter: { state: ['off'] } },
    { id: 'all', name: '全部', filter: { state: ['on', 'off'] } },
  ],
}

/** Switches entries on or off, one or several. */
const switchTo = ({ permissions, setState }: Entries, state: PortalEntry['state']) => ({
  label: labelOf(entryState, state),
  needs: permissions.edit,
  batch: true as const,
  isOffered: (row: PortalEntry) => row.state !== state,
  runAll: async (rows: readonly PortalEntry[]) => {
    const result = await sendAndInvalidate(setState, { ids: rows.map(row => String(row.id)), state })
    reportBulkResult(result, `${labelOf(entryState, state)}结果`)
  },
})

/** The screens of one kind of entry: list, form, pinning, switching on and off, sheets. */
const entryPages = (entries: Entries, { unit, itemName }: EntryTexts): CrudPages =>
  crudPages(entries, {
    unit,
    itemName,
    import: entries.importSheet,
    export: entries.exportSheet,
    actions: [
      {
        label: '置顶',
        call: entries.setTop,
        keys: ['topSort'],
        initial: row => ({ topSort: row?.topSort || 1 }),
        isOffered: row => row.state === 'on',
      },
      {
        label: '取消置顶',
        needs: entries.permissions.edit,
        isOffered: row => row.topSort > 0,
        run: row => sendAndToast(entries.setTop, { id: row.id, topSort: 0 }, `已取消置顶「${row.title}」`),
      },
      switchTo(entries, 'on'),
      switchTo(entries, 'off'),
    ],
    columns,
    list,
    form: { presentation: 'drawer', groups },
  })

export const websitePages = entryPages(websites, { unit: '个网站', itemName: '网站' })
export const servicePages = entryPages(services, { unit: '项服务', itemName: '服务' })
export const projectPages = entryPages(projects, { unit: '个项目', itemName: '项目' })
export const imageTextPages = entryPages(imageTexts, { unit: '篇图文', itemName: '图文' })
