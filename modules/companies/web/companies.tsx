import { recordPath } from '#kit/contract/crud-screens.ts'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { today } from '#kit/web/date-format.ts'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { companies, type Company } from '../contract/company.ts'
import { exportCompanies, importCompanies } from '../contract/import-export.ts'
import { menu, paths } from '../module.ts'

const ImportState = lazyComponent(() => import('./import-state-dialog.tsx').then(m => m.ImportStateDialog))
const QrDialog = lazyComponent(() => import('./qr-dialog.tsx').then(m => m.QrDialog))
const CompanyRoomsControl = lazyComponent(() =>
  import('./company-rooms-control.tsx').then(m => m.CompanyRoomsControl),
)
const CompanyRoomList = lazyComponent(
  () => import('./company-rooms.tsx').then(m => m.CompanyRoomList),
  <RowSkeleton rows={6} />,
)
const WorkerList = lazyComponent(
  () => import('./company-workers.tsx').then(m => m.WorkerList),
  <RowSkeleton rows={6} />,
)

/** The first room and how many more: `A-1-801 等 4 间`. */
const roomsLabel = (c: Company): string =>
  c.rooms?.length ? `${c.rooms[0]}${c.rooms.length > 1 ? ` 等 ${c.rooms.length} 间` : ''}` : '--'

const { permissions } = menu.company
const hasNotLeft = (c: Company): boolean => c.state !== 'movedOut'

export const pages = crudPages(companies, {
  paths,
  unit: '家企业',
  import: importCompanies,
  export: exportCompanies,
  actions: [
    {
      label: '二维码',
      needs: menu.worker.permissions.view,
      isOffered: hasNotLeft,
      dialog: ({ of: [c], onClose }) => c && <QrDialog of={c} onClose={onClose} />,
    },
    {
      label: '迁出',
      needs: permissions.moveOut,
      isOffered: hasNotLeft,
      run: c => navigateTo(recordPath(paths.moveOut, c.id)),
    },
  ],
  toolbar: [
    { label: '导入进度', needs: permissions.import, dialog: ImportState },
    { label: '按条件导出', needs: permissions.export, run: () => navigateTo(paths.export) },
  ],
  deletion: { consequences: ['有房间或在职员工的企业不能删除，请办理迁出'] },
  columns: [
    { key: 'name', identity: true, grow: 2 },
    { key: 'companyNo', hidePriority: 3 },
    {
      key: 'rooms',
      width: 158,
      grow: 1,
      render: roomsLabel,
      text: c => c.rooms?.join('、') ?? '',
    },
    'area',
    'workers',
    { key: 'contactName', hidePriority: 1 },
    { key: 'contactPhone', fitContent: true },
    { key: 'industry', hidePriority: 3 },
    { key: 'inDate', hidePriority: 1 },
    { key: 'outDate', hiddenByDefault: true },
    { key: 'staffCount', hiddenByDefault: true },
    'state',
  ],
  list: {
    filters: ['state', 'industry', 'inDate', 'createTime'],
    barFilters: [],
    views: [
      { id: '', name: '在驻', filter: { state: ['here'] } },
      { id: 'movedOut', name: '已迁出', filter: { state: ['movedOut'] } },
      { id: 'all', name: '全部', filter: { state: ['here', 'movedOut', 'pending'] } },
    ],
  },
  detail: [
    {
      title: '企业',
      keys: [
        'name',
        'companyNo',
        'state',
        'creditCode',
        'legalPerson',
        'industry',
        'staffCount',
        'inDate',
        'outDate',
        'area',
        'workers',
        { key: 'rooms', wide: true },
      ],
    },
    {
      title: '联系与开票',
      keys: ['contactName', 'contactPhone', 'invoiceTitle', 'taxNo', 'bankName', 'bankAccount'],
    },
    { title: '其他', keys: ['license', 'remark', 'createTime', 'updateTime'] },
  ],
  tabs: [
    { key: 'rooms', label: '房间', body: c => <CompanyRoomList of={c} /> },
    {
      key: 'workers',
      label: '员工',
      needs: menu.worker.permissions.view,
      body: c => <WorkerList of={c} />,
    },
  ],
  form: {
    groups: [
      {
        title: '企业',
        keys: [
          'name',
          'companyNo',
          'creditCode',
          'legalPerson',
          'industry',
          'staffCount',
          'inDate',
          'license',
        ],
      },
      {
        title: '房间',
        keys: [
          {
            key: 'places',
            label: '租用的房间',
            control: CompanyRoomsControl,
            help: '可以先不选，以后在企业详情中添加',
          },
        ],
      },
      {
        title: '联系与开票',
        keys: ['contactName', 'contactPhone', 'invoiceTitle', 'taxNo', 'bankName', 'bankAccount', 'remark'],
      },
    ],
    useInitial: () => ({ inDate: today() }),
  },
})
