import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { confirmAndSend, sendAndToast } from '#kit/web/record-actions.ts'
import { notices, setNoticeTop, withdrawNotice, type PublicNotice } from '../contract/notice.ts'
import { menu, noticeScreens } from '../module.ts'
import { NoticeAudiencePreview } from './notice-audience.tsx'
import { noticeGroups, useNoticeDraft } from './notice-form.ts'
import { noticeTabs } from './notice-tabs.tsx'

const PublishDialog = lazyComponent(async () => (await import('./publish-dialog.tsx')).PublishDialog)
const RemindDialog = lazyComponent(async () => (await import('./remind-dialog.tsx')).RemindDialog)
const NoticePrint = lazyComponent(async () => (await import('./notice-print.tsx')).NoticePrint)

const { publish, add, edit, view } = menu.notice.permissions

const countText = (count: number | undefined, { totalCount }: PublicNotice): string =>
  totalCount === undefined ? '' : `${count ?? 0} / ${totalCount}`

const isWaiting = ({
  state,
  needConfirm,
  totalCount = 0,
  readCount,
  confirmedCount,
}: PublicNotice): boolean =>
  state === 'published' && totalCount > ((needConfirm ? confirmedCount : readCount) ?? 0)

const withdraw = (notice: PublicNotice): Promise<boolean> => {
  const { id, title, state } = notice
  return confirmAndSend(withdrawNotice, {
    actionLabel: '撤回',
    unit: '条公告',
    title: `撤回「${title}」`,
    consequences:
      state === 'timed'
        ? ['公告恢复为草稿，不再定时发布']
        : [
            '住户页与信息屏不再显示，尚未发送的消息取消发送',
            '已发送的短信与微信不能收回；撤回后不能再次发布',
          ],
    reason: { presets: ['内容有误', '事项取消'] },
    input: reason => ({ id, reason }),
    doneText: `已撤回「${title}」`,
  })
}

export const pages = crudPages(notices, {
  paths: noticeScreens.paths,
  unit: '条公告',
  columns: [
    { key: 'title', identity: true, grow: 3 },
    { key: 'noticeType', width: 96 },
    { key: 'scopeType', width: 96, hidePriority: 3 },
    { key: 'isTop', width: 64, hidePriority: 2 },
    {
      key: 'readCount',
      title: '已读 / 应达',
      width: 112,
      align: 'right',
      sortKey: undefined,
      text: notice => countText(notice.readCount, notice),
      render: notice => countText(notice.readCount, notice),
    },
    {
      key: 'confirmedCount',
      title: '已确认 / 应达',
      width: 120,
      align: 'right',
      sortKey: undefined,
      hidePriority: 2,
      text: notice => (notice.needConfirm ? countText(notice.confirmedCount, notice) : ''),
      render: notice => (notice.needConfirm ? countText(notice.confirmedCount, notice) : ''),
    },
    { key: 'publisherName', width: 88, hidePriority: 2 },
    { key: 'publishTime', width: 150, hidePriority: 1 },
    { key: 'expireTime', width: 150, hidePriority: 3 },
    'state',
  ],
  list: {
    filters: ['state', 'noticeType', 'scopeType', 'isTop', 'publishTime'],
    barFilters: ['noticeType', 'publishTime'],
    views: [
      { id: '', name: '全部', filter: {} },
      { id: 'draft', name: '草稿', filter: { state: ['draft', 'timed'] } },
      { id: 'published', name: '已发布', filter: { state: ['published'] } },
      { id: 'ended', name: '已结束', filter: { state: ['withdrawn', 'expired'] } },
    ],
  },
  form: {
    groups: noticeGroups,
    useInitial: useNoticeDraft,
    presentation: 'drawer',
    below: values => <NoticeAudiencePreview values={values} />,
    savedText: (notice, isNew) =>
      isNew ? `已保存草稿「${notice.title}」，发布后住户可见` : `已保存「${notice.title}」`,
    editDisabledReason: notice =>
      notice.state === 'timed'
        ? '等待定时发布，请先撤回'
        : notice.state === 'draft' || notice.state === 'published'
          ? undefined
          : '已结束的公告不能修改，请复制',
  },
  actions: [
    {
      label: '发布',
      needs: publish,
      dialog: PublishDialog,
      isOffered: notice => notice.state === 'draft',
    },
    { label: '提醒未读', needs: publish, dialog: RemindDialog, isOffered: isWaiting },
    {
      label: '撤回',
      needs: publish,
      danger: true,
      isOffered: notice => notice.state !== 'draft' && notice.state !== 'withdrawn',
      run: withdraw,
    },
    {
      label: '置顶',
      needs: edit,
      isOffered: ({ isTop, state }) => !isTop && state !== 'withdrawn' && state !== 'expired',
      run: ({ id, title }) => sendAndToast(setNoticeTop, { id, isTop: true }, `已置顶「${title}」`),
    },
    {
      label: '取消置顶',
      needs: edit,
      isOffered: notice => notice.isTop,
      run: ({ id, title }) => sendAndToast(setNoticeTop, { id, isTop: false }, `已取消置顶「${title}」`),
    },
    { label: '复制', needs: add, run: ({ id }) => navigateTo(`${noticeScreens.paths.add}?copy=${id}`) },
    { label: '打印', needs: view, dialog: NoticePrint },
  ],
  deletion: {
    consequences: ['住户不再看到该公告，阅读记录一并删除', '尚未发送的消息取消发送'],
    reasons: ['录入有误', '不再需要'],
    disabledReason: notice => (notice.state === 'timed' ? '等待定时发布，请先撤回' : undefined),
  },
  detail: [
    {
      title: '公告',
      keys: [
        'title',
        'noticeType',
        'isTop',
        'needConfirm',
        'state',
        'publishFault',
        'isModified',
        'versionNo',
      ],
    },
    {
      title: '发布',
      keys: [
        'scopeText',
        'channels',
        'smsText',
        'publisherName',
        'publishTime',
        'expireTime',
        'withdrawTime',
        'withdrawReason',
      ],
    },
  ],
  tabs: noticeTabs,
})
