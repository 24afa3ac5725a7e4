import { useMemo } from 'react'
import { bulkWords } from '#kit/web/acts.ts'
import { EditDialog } from '#kit/web/form/edit-dialog.tsx'
import type { AskGroup } from '#kit/web/form/form-fields.tsx'
import { RefSelect } from '#kit/web/controls/ref-select.tsx'
import type { Control } from '#kit/web/controls/kinds.tsx'
import { Skeleton } from '#kit/web/list/states.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { confirm } from '#kit/web/confirm.tsx'
import { screenVerb } from '#kit/web/screen-verb.ts'
import { may } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { today } from '#kit/web/when.ts'
import { places } from './places.ts'
import type { FormulaType } from '../domain/standard.ts'
import { oneFormula, type FeeFormula } from '../contract/formula.ts'
import {
  changePrice,
  copyStandards,
  correctVersion,
  listVersions,
  type FeeStandard,
  type StandardVersion,
} from '../contract/standard.ts'

/** Several records of an entity, chosen by what they are called. */
export const manyOf =
  (entity: string, by: 'id' | 'key' = 'id'): Control =>
  p => (
    <RefSelect
      field={{ ...p.field, to: entity, by }}
      many
      id={p.id}
      value={p.value}
      onChange={p.onChange}
      onBlur={p.onBlur}
      given={p.given}
      disabled={p.disabled}
      status={p.invalid ? 'error' : undefined}
      describedBy={p.describedBy}
    />
  )

export const oneOfThese =
  (entity: string): Control =>
  p => (
    <RefSelect
      field={{ ...p.field, kind: 'ref', to: entity, by: 'id' } as never}
      id={p.id}
      value={p.value}
      onChange={p.onChange}
      onBlur={p.onBlur}
      given={p.given}
      disabled={p.disabled}
      status={p.invalid ? 'error' : undefined}
      describedBy={p.describedBy}
    />
  )

const bare = new Set<FormulaType>(['share', 'imported', 'rent', 'risingRent', 'tiers'])

/** What a price is asked, by the formula's type. */
export function priceAsks(
  type: (v: any) => FormulaType | undefined,
  formula: (v: any) => Pick<FeeFormula, 'parameters' | 'variables'> | undefined,
): AskGroup['keys'] {
  const not =
    (...of: FormulaType[]) =>
    (v: unknown): boolean => {
      const t = type(v)
      return t === undefined || !of.includes(t)
    }
  const noPrice = (v: unknown): boolean => {
    const t = type(v)
    return (
      t === undefined || bare.has(t) || (t === 'custom' && !(formula(v)?.variables ?? []).includes('单价'))
    )
  }
  const noParams = (v: unknown): boolean => {
    const f = formula(v)
    return !f || !((f.parameters?.length ?? 0) > 0 || (f.variables ?? []).includes('系数'))
  }
  return [
    { key: 'effectiveDate', help: '从这一天起按新价格，之前的版本到前一天为止' },
    { key: 'price', hidden: noPrice, help: '元；固定金额的填每月的金额' },
    { key: 'tiers', wide: true, hidden: not('tiers'), help: '从小到大，最后一档的“至”留空' },
    { key: 'tierBase', hidden: not('tiers') },
    { key: 'perHeadAdd', hidden: not('tiers'), help: '超过起增人数后，每多一人各档加这么多' },
    { key: 'headsFrom', hidden: not('tiers') },
    {
      key: 'params',
      wide: true,
      hidden: noParams,
      help: '公式里的自定义变量和系数；系数不填就取房屋的收费系数',
    },
    {
      key: 'extra',
      hidden: not('area', 'usage', 'fixed', 'quantity', 'custom', 'tiers'),
      help: '在单价之外每月另加',
    },
    {
      key: 'extraProrate',
      hidden: v =>
        not('area', 'usage', 'fixed', 'quantity', 'custom', 'tiers')(v) || !(v as { extra?: number }).extra,
      help: '打开后，不足月时附加费也折算',
    },
  ]
}

/**
 * What the old price has made already and nobody paid is offered to be made anew, where the bills are
 * (FEE-6).
 */
async function told(s: FeeStandard, v: StandardVersion & { readonly oldBills?: number }): Promise<void> {
  const said = `「${s.name}」${v.effectiveDate} 起按新价格`
  const look = screenVerb(places.reprice, { id: s.id })
  if (!v.oldBills || !look || !may(look.may)) {
    toast.success(v.oldBills ? `${said}；已有 ${v.oldBills} 张未缴账单照旧价格收取` : said)
    return
  }
  if (
    await confirm({
      title: said,
      text: `已有 ${v.oldBills} 张未缴账单是按旧价格出的，可以核对新旧金额后重新生成；不处理则照旧价格收取。`,
      ok: '去核对',
      cancel: '以后再说',
    })
  ) {
    look.run()
  }
}

/** 调价 (FEE-6): a new version from a day on; nothing that is billed changes. */
export function PriceDialog({ of: s, onClose }: { readonly of: FeeStandard; readonly onClose: () => void }) {
  const put = useSend(changePrice, { quiet: true })
  const known = useCall(listVersions, { standardId: s.id }, { quiet: true })
  const f = useCall(oneFormula, { id: s.formulaId }, { quiet: true, enabled: s.formulaType === 'custom' })
  const formula = f.data
  const groups = useMemo(
    (): readonly AskGroup[] => [
      {
        keys: [
          ...priceAsks(
            () => s.formulaType,
            () => formula,
          ),
          { key: 'reason', wide: true },
        ],
      },
    ],
    [s.formulaType, formula],
  )
  const initial = useMemo(() => {
    const last = known.data?.[0]
    const {
      id: _,
      version: __,
      effectiveDate: ___,
      endDate: ____,
      createTime: _____,
      updateTime: ______,
      reason: _______,
      standardId: ________,
      used: _________,
      ...kept
    } = (last ?? {}) as Partial<StandardVersion>
    return { ...kept, standardId: s.id, effectiveDate: today() }
  }, [known.data, s.id])
  if (!known.data || (s.formulaType === 'custom' && f.isPending)) return <Skeleton rows={3} />
  return (
    <EditDialog
      of={changePrice.input}
      title={`调价「${s.name}」`}
      groups={groups}
      initial={initial as never}
      words="确认调价"
      as="drawer"
      save={v => put.mutateAsync({ ...v, standardId: s.id })}
      onClose={onClose}
      below={v => (
        <p className="formula-read">
          {v.effectiveDate
            ? `${v.effectiveDate} 起的账单按新价格；已经出的账单不变，跨过这一天的账期分两段计算`
            : '选择生效日期'}
        </p>
      )}
      onDone={a => {
        onClose()
        void told(s, a as StandardVersion & { readonly oldBills?: number })
      }}
    />
  )
}

/** 更正 (FEE-6): the same day, another price; nothing was billed by the wrong one. */
export function CorrectDialog({
  of: s,
  version: v,
  onClose,
}: {
  readonly of: FeeStandard
  readonly version: StandardVersion
  readonly onClose: () => void
}) {
  const put = useSend(correctVersion, { quiet: true })
  const f = useCall(oneFormula, { id: s.formulaId }, { quiet: true, enabled: s.formulaType === 'custom' })
  const formula = f.data
  const groups = useMemo(
    (): readonly AskGroup[] => [
      {
        keys: [
          ...priceAsks(
            () => s.formulaType,
            () => formula,
          ).filter(a => (typeof a === 'string' ? a : a.key) !== 'effectiveDate'),
          { key: 'reason', wide: true, help: '会写入变更记录' },
        ],
      },
    ],
    [s.formulaType, formula],
  )
  const initial = useMemo(() => ({ ...v, reason: undefined }), [v])
  if (s.formulaType === 'custom' && f.isPending) return <Skeleton rows={3} />
  return (
    <EditDialog
      of={correctVersion.input}
      title={`更正「${s.name}」${v.effectiveDate === '2000-01-01' ? '' : `${v.effectiveDate} 起`}的价格`}
      groups={groups}
      initial={initial as never}
      words="确认更正"
      as="drawer"
      save={x => put.mutateAsync({ ...x, id: v.id, version: v.version! })}
      onClose={onClose}
      below={() => <p className="formula-read">还没有账单用过这个价格，可以直接改；生效日期不变</p>}
      onDone={() => {
        toast.success('价格已更正')
        onClose()
      }}
    />
  )
}

const Projects = manyOf('estate', 'key')

const copyGroups: readonly AskGroup[] = [
  { keys: [{ key: 'projects', control: Projects, help: '连同全部价格版本；已有同编码标准的项目不改动' }] },
]

export function CopyDialog({
  of,
  onClose,
}: {
  readonly of: readonly FeeStandard[]
  readonly onClose: () => void
}) {
  const copy = useSend(copyStandards, { quiet: true })
  const initial = useMemo(() => ({ ids: of.map(s => String(s.id)) }), [of])
  return (
    <EditDialog
      of={copyStandards.input}
      title={of.length === 1 ? `复制「${of[0]!.name}」到其他项目` : `复制 ${of.length} 个标准到其他项目`}
      groups={copyGroups}
      initial={initial}
      words="复制"
      save={v => copy.mutateAsync({ ...v, ids: initial.ids })}
      onClose={onClose}
      onDone={a => {
        const said = a as { success: number; fail: number; skipped: number }
        ;(said.skipped ? toast.warning : toast.success)(bulkWords(a as never))
        onClose()
      }}
    />
  )
}
