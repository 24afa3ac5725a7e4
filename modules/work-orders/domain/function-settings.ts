/** One function of the module that a company may switch or set. */
export interface FunctionSetting {
  readonly label: string
  readonly help: string
  /** Whether it is on unless the company says otherwise; absent: it cannot be switched. */
  readonly isOn?: boolean
  readonly value?: {
    readonly initial: number
    readonly min: number
    readonly max: number
    readonly unit: string
  }
}

/** What FunctionSetting/Get and Set speak of, by key. */
export const functionSettings = {
  residentReport: {
    label: '业主扫码报事',
    help: '扫描房屋或公共区域的二维码报事；关闭后二维码页面提示改为电话报事',
    isOn: true,
  },
  duplicateHint: {
    label: '重复提示',
    help: '登记时提示同一位置、同一类型在这些天内的未完结工单',
    isOn: true,
    value: { initial: 3, min: 1, max: 30, unit: '天' },
  },
  expediteInterval: {
    label: '催办间隔',
    help: '同一工单两次催办之间至少间隔',
    value: { initial: 10, min: 1, max: 1440, unit: '分钟' },
  },
  denyLimit: {
    label: '拒单次数',
    help: '一张工单最多被拒的次数，达到后由主管派单',
    value: { initial: 3, min: 1, max: 20, unit: '次' },
  },
  closeApproval: {
    label: '关闭审批',
    help: '接单之后关闭工单须由另一人批准',
    isOn: true,
  },
  autoDispatch: {
    label: '自动派单',
    help: '登记或审核通过后，按类型的派单方式立即派单；关闭时在派单页面手动触发',
    isOn: true,
  },
  reward: {
    label: '打赏',
    help: '工单完成后报事人可以打赏',
    isOn: true,
  },
  rewardIncome: {
    label: '打赏计入公司收入',
    help: '关闭时打赏单独记录，不计入收入',
    isOn: false,
  },
  feeItem: {
    label: '收费项目',
    help: '有偿工单出账单所用的收费项目（编号），类型未指定时使用',
    value: { initial: 0, min: 0, max: 2_147_483_647, unit: '' },
  },
  dueSoon: {
    label: '即将超时',
    help: '距时限少于此分钟数时列入「即将超时」',
    value: { initial: 30, min: 5, max: 1440, unit: '分钟' },
  },
} as const satisfies { readonly [key: string]: FunctionSetting }

export type FunctionKey = keyof typeof functionSettings

/** What a company has set of one function. */
export interface StoredFunction {
  readonly key: string
  readonly enabled: boolean
  readonly value?: number | undefined
}

export interface FunctionState {
  readonly isOn: boolean
  readonly value: number
}

const stateOf = (key: FunctionKey, stored: StoredFunction | undefined): FunctionState => {
  const { isOn = true, value }: FunctionSetting = functionSettings[key]
  return { isOn: stored?.enabled ?? isOn, value: stored?.value ?? value?.initial ?? 0 }
}

/** All functions as the company has them. */
export function resolveFunctions(stored: readonly StoredFunction[]): {
  readonly [K in FunctionKey]: FunctionState
} {
  const byKey = new Map(stored.map(setting => [setting.key, setting]))
  const of = (key: FunctionKey): FunctionState => stateOf(key, byKey.get(key))
  return {
    residentReport: of('residentReport'),
    duplicateHint: of('duplicateHint'),
    expediteInterval: of('expediteInterval'),
    denyLimit: of('denyLimit'),
    closeApproval: of('closeApproval'),
    autoDispatch: of('autoDispatch'),
    reward: of('reward'),
    rewardIncome: of('rewardIncome'),
    feeItem: of('feeItem'),
    dueSoon: of('dueSoon'),
  }
}

export type Functions = ReturnType<typeof resolveFunctions>

export const isFunctionKey = (key: string): key is FunctionKey => Object.hasOwn(functionSettings, key)

/** What is wrong with a value that somebody sets; nothing where it is fine. */
export function functionFault(setting: StoredFunction): string | undefined {
  if (!isFunctionKey(setting.key)) return `没有「${setting.key}」这项功能`
  const { label, value }: FunctionSetting = functionSettings[setting.key]
  if (value === undefined || setting.value === undefined) return undefined
  return setting.value < value.min || setting.value > value.max
    ? `${label}应在 ${value.min} 到 ${value.max} ${value.unit}之间`.trim()
    : undefined
}
