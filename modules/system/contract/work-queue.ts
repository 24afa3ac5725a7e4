import { call, everyone } from '#kit/contract/call.ts'
import { flag, int, lines, list, moment, money, text } from '#kit/contract/field.ts'
import { noData, shape } from '#kit/contract/shape.ts'

/** What waits for the caller in the chosen project, by kind of work: for the workbench and the bell. */
export const getWorkQueues = call({
  route: 'GET Workbench/GetQueues',
  title: '待办事项',
  needs: everyone,
  input: noData,
  output: shape({
    queues: lines(
      '待办',
      {
        key: text('编号', { required: true }),
        title: text('事项', { required: true }),
        tone: text('紧急程度', { required: true }),
        isEmergency: flag('紧急', { wire: 'Emergency' }),
        count: int('数量', { required: true }),
        actionLabel: text('操作', { required: true }),
        path: text('页面', { required: true, max: 500 }),
        since: moment('最早时间'),
        sumLabel: text('金额名称'),
        sum: money('金额'),
        detail: text('说明'),
      },
      { required: true, wire: 'Queues' },
    ),
    failed: int('加载失败项数', { required: true }),
    entities: list('数据来源', { required: true }),
  }),
})

/** How much waits behind the screens of the menu; screens behind which nothing waits are left out. */
export const getMenuCounts = call({
  route: 'GET Workbench/GetMenuCounts',
  title: '菜单待办数',
  needs: everyone,
  input: noData,
  output: shape({
    counts: lines(
      '待办数',
      {
        path: text('页面', { required: true }),
        count: int('数量', { required: true }),
        urgent: flag('紧急', { required: true }),
      },
      { required: true, wire: 'Counts' },
    ),
    entities: list('数据来源', { required: true }),
  }),
})
