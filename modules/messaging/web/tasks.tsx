import { CrudList } from '#kit/web/crud/crud-list.tsx'
import { crudPages } from '#kit/web/crud/crud-pages.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { navigateTo } from '#kit/web/navigation.ts'
import { sendAndToast } from '#kit/web/record-actions.ts'
import { confirm } from '#kit/web/confirm.tsx'
import { formatCount } from '#kit/web/numbers.tsx'
import type { SmsTaskState } from '../contract/sms-choices.ts'
import {
  cancelPropertySms,
  exportSmsTasks,
  propertySmses,
  resendPropertySms,
  type PropertySms,
} from '../contract/task.ts'
import { menu, smsScreens } from '../module.ts'
import { paths } from './paths.ts'
import { Usable } from './usable.tsx'

const TaskRecords = lazyComponent(() => import('./records.tsx').then(m => m.TaskRecords))

const { permissions } = menu.sms

const isIn =
  (...states: readonly SmsTaskState[]) =>
  (row: PropertySms): boolean =>
    states.includes(row.state)

async function cancelTask(row: PropertySms): Promise<void> {
  const isSure = await confirm({
    title: `停止发送「${row.taskName}」`,
    text: '尚未发出的短信取消，冻结的额度退回；已发出的不能收回。',
    okLabel: '停止发送',
  })
  if (isSure) {
    await sendAndToast(cancelPropertySms, { id: row.id }, `已停止「${row.taskName}」`)
  }
}

async function resendTask(row: PropertySms): Promise<void> {
  const isSure = await confirm({
    title: `重发「${row.taskName}」`,
    text: `失败 ${formatCount(row.failCount)} 个号码，只发给其中尚未重发的，重新计费。`,
    okLabel: '重发',
  })
  if (isSure) {
    await sendAndToast(resendPropertySms, { id: row.id }, `已提交重发「${row.taskName}」`)
  }
}

export const pages = crudPages(propertySmses, {
  paths: { detail: smsScreens.paths.detail },
  unit: '个短信任务',
  export: exportSmsTasks,
  actions: [
    { label: '停止发送', needs: permissions.cancel, isOffered: isIn('waiting', 'sending'), run: cancelTask },
    {
      label: '重发失败',
      needs: permissions.resend,
      isOffered: row => isIn('failed', 'partial', 'unclear')(row) && row.failCount > 0,
      run: resendTask,
    },
    {
      label: '核对结果',
      needs: menu.record.permissions.settle,
      isOffered: row => row.unclearCount > 0,
      run: row => navigateTo(`${paths.detail}?id=${row.id}&tab=records`),
    },
  ],
  columns: [
    { key: 'taskName', identity: true, grow: 1 },
    { key: 'channel', width: 72, hidePriority: 2 },
    { key: 'purpose', width: 90, hidePriority: 2 },
    { key: 'scopeType', hidePriority: 3 },
    'numberCount',
    'totalSegments',
    { key: 'successCount', hidePriority: 1 },
    'failCount',
    { key: 'unclearCount', hidePriority: 2 },
    { key: 'refuseCount', hidePriority: 3 },
    { key: 'sendTime', width: 150 },
    { key: 'operatorName', hidePriority: 2 },
    'state',
  ],
  detail: [
    {
      title: '任务',
      keys: [
        'taskName',
        'channel',
        'purpose',
        'templateName',
        'scopeType',
        'operatorName',
        'sendTime',
        'endTime',
      ],
    },
    { title: '内容', keys: [{ key: 'content', wide: true }] },
    {
      title: '结果',
      keys: [
        'numberCount',
        'excludedCount',
        'segmentPerMsg',
        'totalSegments',
        'successCount',
        'failCount',
        'unclearCount',
        'refuseCount',
        'state',
      ],
    },
  ],
  tabs: [
    {
      key: 'records',
      label: '发送记录',
      needs: menu.record.permissions.view,
      body: task => <TaskRecords id={task.id} />,
    },
  ],
})

const stateView = (name: string, ...state: SmsTaskState[]) => ({
  id: state.join('-'),
  name,
  filter: { state },
})

/** 短信任务: what was sent to many at once. */
export const Tasks = () => (
  <>
    <Usable />
    <CrudList
      model={pages.model}
      list={{
        embedded: true,
        addressed: true,
        pageSize: 15,
        keywordPlaceholder: '任务名',
        barFilters: ['channel', 'purpose', 'sendTime'],
        settingsKey: 'messaging/tasks',
        views: [
          { id: '', name: '全部', filter: {} },
          stateView('待发送', 'waiting'),
          stateView('发送中', 'sending'),
          stateView('待核对', 'unclear'),
          stateView('有失败', 'failed', 'partial'),
          stateView('已取消', 'cancelled'),
        ],
        primaryAction: { label: '发送短信', needs: permissions.add, run: () => navigateTo(paths.add) },
      }}
    />
  </>
)
