import type { ChoiceOf } from '#kit/contract/field.ts'
import type { noticeAudience } from '#modules/portal/contract/choices.ts'
import type { PortalEntry } from '#modules/portal/contract/entry.ts'

export interface PlannedNotice {
  readonly title: string
  readonly content: string
  readonly audience: ChoiceOf<typeof noticeAudience>
  /** Names of departments. */
  readonly departments?: readonly string[]
  readonly isImportant: boolean
  /** Days since it was published; a draft without. */
  readonly daysAgo?: number
  readonly withdrawReason?: string
  /** Of its receivers every so many have not read it yet; nobody where it is 0. */
  readonly unreadEvery: number
}

export const portalNotices: readonly PlannedNotice[] = [
  {
    title: '新版收费操作手册已发布',
    content:
      '收费操作手册已更新，新增部分红冲与交账两章。\n请各项目收费员在本周内阅读，有疑问请在「意见反馈」中提出。',
    audience: 'departments',
    departments: ['财务部'],
    isImportant: false,
    daysAgo: 12,
    unreadEvery: 0,
  },
  {
    title: '年度健康体检安排',
    content:
      '本年度健康体检于 12 月 7 日至 18 日进行，按部门分批前往。\n\n一、时间：上午 8:00 至 10:30，请空腹。\n二、携带：本人身份证。\n三、值班人员由部门负责人另行安排时间。\n\n各部门请于本周五前将名单报人事行政部。',
    audience: 'all',
    isImportant: false,
    daysAgo: 6,
    unreadEvery: 3,
  },
  {
    title: '冬季消防与用电安全检查',
    content:
      '请工程维修部与秩序维护部于本月底前完成以下检查，并在工单中登记结果：\n\n1. 地下车库消火栓、灭火器与应急照明；\n2. 各楼栋电缆井、配电间的温度与堆放情况；\n3. 电动自行车充电区域的线路与烟感。\n\n检查中发现的隐患当日派单，重大隐患立即报项目经理。',
    audience: 'departments',
    departments: ['工程维修部', '秩序维护部', '客户服务部'],
    isImportant: true,
    daysAgo: 2,
    unreadEvery: 2,
  },
  {
    title: '月底收费截止时间调整',
    content: '本月收银台于 30 日 17:00 截止收款，之后的款项计入下月。请各项目提前告知住户。',
    audience: 'all',
    isImportant: true,
    daysAgo: 1,
    unreadEvery: 2,
  },
  {
    title: '外墙清洗期间车辆停放通知',
    content: '外墙清洗自下周一开始，1 栋至 3 栋楼下车位暂停使用。',
    audience: 'all',
    isImportant: false,
    daysAgo: 9,
    withdrawReason: '施工时间变更',
    unreadEvery: 2,
  },
  {
    title: '元旦假期值班安排',
    content: '元旦期间各部门安排一名主管值班，名单待定。',
    audience: 'all',
    isImportant: true,
    unreadEvery: 0,
  },
]

type PlannedEntry = Partial<PortalEntry> & { readonly title: string }

export const portalWebsites: readonly PlannedEntry[] = [
  { title: '国家税务总局', category: '财税', linkUrl: 'https://www.chinatax.gov.cn', topSort: 1 },
  { title: '住房和城乡建设部', category: '行业', linkUrl: 'https://www.mohurd.gov.cn' },
  { title: '中国政府网', category: '政务', linkUrl: 'https://www.gov.cn', topSort: 2 },
  { title: '国家市场监督管理总局', category: '行业', linkUrl: 'https://www.samr.gov.cn' },
  { title: '应急管理部', category: '安全', linkUrl: 'https://www.mem.gov.cn' },
  {
    title: '原考勤系统',
    category: '办公',
    linkUrl: 'https://attendance.example.com',
    content: '数据已迁移，停止使用',
    state: 'off',
  },
]

export const portalServices: readonly PlannedEntry[] = [
  {
    title: '办公用品领用',
    category: '行政',
    content: '每月 5 日前由部门汇总，到人事行政部领取。',
    topSort: 1,
  },
  { title: '工服申领', category: '行政', content: '入职、换季与破损更换，凭部门负责人签字领取。' },
  {
    title: '电脑与网络报修',
    category: '信息',
    content: '在「工单登记」中选择内部任务，工作日 2 小时内响应。',
  },
  { title: '公务用车', category: '行政', content: '提前一天在「发起审批」中提交用车申请。' },
]

export const portalProjects: readonly PlannedEntry[] = [
  {
    title: '锦绣花园',
    category: '住宅',
    content: '在管住宅项目，设服务中心、监控中心与工程值班室。',
    topSort: 1,
  },
  { title: '滨江商务中心', category: '写字楼', content: '在管写字楼项目，服务台位于一层大堂。' },
]

export const portalImageTexts: readonly PlannedEntry[] = [
  {
    title: '电梯困人应急处置',
    category: '安全',
    content:
      '接到困人报警后：\n\n一、通过对讲安抚乘客，告知不要扒门；\n二、通知维保单位与工程值班人员，记录时间；\n三、十五分钟内到达现场，确认轿厢位置后按规程救援；\n四、救援后检查电梯，未查明原因前不得恢复运行。\n\n全过程登记工单，次日组织复盘。',
    topSort: 1,
  },
  {
    title: '前台接待礼仪',
    category: '服务',
    content:
      '三米微笑，一米问候。\n\n接待住户时先听完诉求再答复；当场不能解决的，登记工单并告知预计时间；办结后当日回访。',
  },
  {
    title: '垃圾分类现场指引',
    category: '环境',
    content: '厨余垃圾、可回收物、有害垃圾与其他垃圾分开投放。\n\n定时投放时段由保洁员在投放点引导。',
  },
]
