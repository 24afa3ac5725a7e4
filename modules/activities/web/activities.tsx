import { asFen } from '#kit/domain/money.ts'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { confirmAndSend, sendAndToast } from '#kit/web/record-actions.ts'
import { RichTextControl } from '#kit/web/rich-text/rich-text-control.tsx'
import {
  activities,
  cancelActivity,
  pinActivity,
  publishActivity,
  type Activity,
} from '../contract/activity.ts'
import { deleteFault, editFault, numberFaults, timeFaults } from '../domain/activity.ts'
import { feeFaults, feeText, hasFee } from '../domain/fee.ts'
import { menu, paths } from '../module.ts'

const ActivityContent = lazyComponent(() => import('./activity-content.tsx').then(m => m.ActivityContent))
const Signs = lazyComponent(() => import('./signs.tsx').then(m => m.Signs))
const PlaceCode = lazyComponent(() => import('./place-code.tsx').then(m => m.PlaceCode))

const keyOf: Readonly<Record<string, string>> = {
  EndTime: 'endTime',
  SignEnd: 'signEnd',
  MaxPersons: 'maxPersons',
  Quota: 'quota',
  FeeItemID: 'feeItemId',
}

type Values = Partial<Activity>

/** The same rules as on the server, while the form is filled in. */
function validateActivity(values: Values) {
  const { beginTime, endTime, signBegin, signEnd, quota, maxPersons, fee, feeItemId } = values
  const faults = [
    ...(beginTime && endTime && signBegin && signEnd
      ? timeFaults({ beginTime, endTime, signBegin, signEnd })
      : []),
    ...(quota !== undefined && maxPersons !== undefined
      ? numberFaults({ quota, maxPersons }, undefined)
      : []),
    ...feeFaults({ fee, feeItemId }, undefined),
  ]
  return Object.fromEntries(faults.map(({ Field, Message }) => [keyOf[Field] ?? Field, Message]))
}

const peopleText = ({ signCount, quota }: Activity): string =>
  quota === 0 ? `${signCount}` : `${signCount} / ${quota}`

/** Fee and item are what those who signed up have agreed to. */
const takenReason = ({ signCount = 0, waitCount = 0 }: Values): string | undefined =>
  signCount + waitCount > 0 ? '已有住户报名，不能修改' : undefined

const publish = ({ id, title }: Activity) =>
  sendAndToast(publishActivity, { id }, `已发布「${title}」，住户可以报名`)

const cancel = ({ id, title, signCount, waitCount, fee = 0 }: Activity) =>
  confirmAndSend(cancelActivity, {
    actionLabel: '取消活动',
    okLabel: '取消活动',
    unit: '个活动',
    title: `取消活动「${title}」`,
    consequences: [
      signCount + waitCount > 0
        ? `已报名 ${signCount} 人、候补 ${waitCount} 人，将通知全部报名住户`
        : '暂无人报名',
      ...(fee > 0 && signCount > 0 ? ['未缴的账单作废，已缴的列入待退费'] : []),
      '取消后不能恢复',
    ],
    reason: { presets: ['天气原因', '报名人数不足', '场地原因'] },
    input: reason => ({ id, reason }),
    doneText: `已取消「${title}」`,
  })

const { permissions } = menu.activity

export const pages = crudPages(activities, {
  paths: { list: paths.activities, add: paths.add, edit: paths.edit, detail: paths.detail },
  unit: '个活动',
  deletion: {
    consequences: ['报名与签到记录一并删除'],
    reasons: ['录入有误', '不再需要'],
    disabledReason: deleteFault,
  },
  columns: [
    { key: 'title', identity: true, grow: 2 },
    { key: 'address', grow: 1, hidePriority: 2 },
    { key: 'beginTime', width: 150 },
    { key: 'signEnd', width: 150, hidePriority: 1 },
    {
      key: 'signCount',
      title: '已报名 / 名额',
      width: 120,
      align: 'right',
      text: peopleText,
      render: peopleText,
    },
    {
      key: 'fee',
      width: 110,
      align: 'right',
      hidePriority: 2,
      text: feeText,
      render: feeText,
    },
    { key: 'waitCount', width: 80, hidePriority: 2 },
    { key: 'checkInCount', width: 88, hidePriority: 2 },
    {
      key: 'topSort',
      width: 72,
      align: 'left',
      hidePriority: 1,
      text: ({ topSort }) => (topSort > 0 ? '置顶' : ''),
      render: ({ topSort }) => (topSort > 0 ? '置顶' : ''),
    },
    'state',
  ],
  actions: [
    { label: '发布', needs: permissions.publish, isOffered: row => row.state === 'draft', run: publish },
    {
      label: '签到',
      needs: permissions.checkIn,
      isOffered: row => row.state === 'published',
      run: row => navigateTo(`${paths.checkIn}?id=${row.id}`),
    },
    {
      label: '置顶',
      needs: permissions.pin,
      isOffered: row => row.state === 'published' && row.topSort === 0,
      run: row => sendAndToast(pinActivity, { id: row.id, isPinned: true }, `已置顶「${row.title}」`),
    },
    {
      label: '取消置顶',
      needs: permissions.pin,
      isOffered: row => row.topSort > 0,
      run: row => sendAndToast(pinActivity, { id: row.id, isPinned: false }, `已取消置顶「${row.title}」`),
    },
    {
      label: '取消活动',
      needs: permissions.publish,
      danger: true,
      isOffered: row => row.state === 'published',
      run: cancel,
    },
  ],
  form: {
    useInitial: () => ({ fee: asFen(0), quota: 0, maxPersons: 1, hasWaiting: true }),
    rules: validateActivity,
    editDisabledReason: editFault,
    savedText: (row, isNew) =>
      isNew ? `已保存草稿「${row.title}」，发布后住户可见` : `已保存「${row.title}」`,
    groups: [
      {
        title: '活动',
        keys: [
          { key: 'title', wide: true },
          { key: 'address', wide: true },
          'beginTime',
          'endTime',
          { key: 'cover', wide: true },
          { key: 'content', wide: true, control: RichTextControl },
        ],
      },
      { title: '报名', keys: ['signBegin', 'signEnd', 'quota', 'maxPersons', 'hasWaiting'] },
      {
        title: '费用',
        keys: [
          { key: 'fee', disabledReason: takenReason },
          {
            key: 'feeItemId',
            isRequired: true,
            isHidden: (values: Values) => !hasFee(values),
            disabledReason: takenReason,
          },
        ],
      },
      { title: '参加范围', keys: ['buildCodes', 'relations'] },
    ],
  },
  detail: [
    { title: '活动', keys: ['title', 'address', 'beginTime', 'endTime', 'state'] },
    {
      title: '报名',
      keys: [
        'signBegin',
        'signEnd',
        'quota',
        'maxPersons',
        'hasWaiting',
        'signCount',
        'waitCount',
        'checkInCount',
      ],
    },
    { title: '费用', keys: [{ key: 'fee', render: feeText }, 'feeItemName'] },
    {
      title: '参加范围',
      keys: [
        { key: 'buildCodes', emptyText: '全部' },
        { key: 'relations', emptyText: '全部' },
      ],
    },
    {
      title: '发布',
      keys: ['publisherName', 'publishTime', 'cancelTime', 'cancelReason'],
    },
  ],
  tabs: [
    { key: 'signs', label: '报名', inDrawer: true, body: row => <Signs of={row} /> },
    { key: 'content', label: '内容', inDrawer: true, body: row => <ActivityContent id={row.id} /> },
    {
      key: 'code',
      label: '签到码',
      needs: permissions.checkIn,
      body: row => <PlaceCode of={row} />,
    },
  ],
  drawer: { width: 880 },
  list: {
    barFilters: ['state', 'beginTime'],
    keywordPlaceholder: '标题、地点',
    views: [
      { id: '', name: '全部', filter: {} },
      { id: 'draft', name: '草稿', filter: { state: ['draft'] } },
      { id: 'published', name: '已发布', filter: { state: ['published'] } },
      { id: 'over', name: '已结束与取消', filter: { state: ['ended', 'cancelled'] } },
    ],
    isDimmed: row => row.state === 'cancelled' || row.state === 'ended',
    settingsKey: 'activities/activities',
  },
})
