import { defined } from '#kit/domain/defined.ts'
import { useMemo } from 'react'
import { draftKeyOf } from '#kit/web/form/drafts.ts'
import { EditDialog } from '#kit/web/form/use-edit.tsx'
import type { FormFieldGroup } from '#kit/web/form/form-fields.tsx'
import { RowSkeleton } from '#kit/web/list/list-feedback.tsx'
import { useCall, useSend } from '#kit/web/query.ts'
import { confirm } from '#kit/web/confirm.tsx'
import { screenAction } from '#kit/web/screen-action.ts'
import { hasPermission } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { today } from '#kit/web/date-format.ts'
import { paths } from './paths.ts'
import type { FormulaType } from '../domain/standard.ts'
import { getFormula, type FeeFormula } from '../contract/formula.ts'
import { type FeeStandard, type StandardVersion } from '../contract/standard.ts'
import { changePrice, correctVersion, listVersions } from '../contract/standard-calls.ts'

const formulaTypesWithoutPrice = new Set<FormulaType>(['share', 'imported', 'rent', 'risingRent', 'tiers'])

/** The fields of a price, by the formula's type. */
export function createPriceFormKeys<Draft extends { readonly extra?: number | undefined }>(
  formulaTypeOf: (draft: Draft) => FormulaType | undefined,
  formulaOf: (draft: Draft) => Pick<FeeFormula, 'parameters' | 'variables'> | undefined,
): FormFieldGroup['keys'] {
  const hiddenUnless =
    (...types: FormulaType[]) =>
    (draft: Draft): boolean => {
      const type = formulaTypeOf(draft)
      return type === undefined || !types.includes(type)
    }
  const hasNoPrice = (draft: Draft): boolean => {
    const type = formulaTypeOf(draft)
    return (
      type === undefined ||
      formulaTypesWithoutPrice.has(type) ||
      (type === 'custom' && !(formulaOf(draft)?.variables ?? []).includes('单价'))
    )
  }
  const hasNoParams = (draft: Draft): boolean => {
    const formula = formulaOf(draft)
    return !formula || !((formula.parameters?.length ?? 0) > 0 || (formula.variables ?? []).includes('系数'))
  }
  const hasNoExtra = hiddenUnless('area', 'usage', 'fixed', 'quantity', 'custom', 'tiers')
  return [
    { key: 'effectiveDate', help: '自该日起按新价格，之前的版本到前一天为止' },
    { key: 'price', isRequired: true, isHidden: hasNoPrice, help: '元；固定金额的填每月的金额' },
    {
      key: 'tiers',
      isRequired: true,
      isHidden: hiddenUnless('tiers'),
      help: '从小到大，最后一档的“至”不填',
    },
    { key: 'tierBase', isHidden: hiddenUnless('tiers') },
    { key: 'perHeadAdd', isHidden: hiddenUnless('tiers'), help: '超过起增人数后，每增一人各档增加的用量' },
    { key: 'headsFrom', isHidden: hiddenUnless('tiers') },
    {
      key: 'params',
      isHidden: hasNoParams,
      help: '公式中的自定义变量和系数；系数不填就取房屋的收费系数',
    },
    {
      key: 'extra',
      isHidden: hasNoExtra,
      help: '在单价之外每月另加',
    },
    {
      key: 'extraProrate',
      isHidden: (draft: Draft) => hasNoExtra(draft) || !draft.extra,
      help: '打开后，不足月时附加费也折算',
    },
  ]
}

/** Offers to recompute unpaid bills of the old price, where the user may see bills. */
async function offerReprice(
  standard: FeeStandard,
  version: StandardVersion & { readonly oldBills?: number },
): Promise<void> {
  const title = `「${standard.name}」${version.effectiveDate} 起按新价格`
  const repriceAction = screenAction(paths.reprice, { id: standard.id })
  if (!version.oldBills || !repriceAction || !hasPermission(repriceAction.needs)) {
    toast.success(version.oldBills ? `${title}；已有 ${version.oldBills} 张未缴账单按原价格收取` : title)
    return
  }
  if (
    await confirm({
      title,
      text: `已有 ${version.oldBills} 张未缴账单是按旧价格出的，可以核对新旧金额后重新生成；不处理则按原价格收取。`,
      okLabel: '核对金额',
      cancelLabel: '以后再说',
    })
  ) {
    repriceAction.run()
  }
}

/** 调价 (FEE-6): a new version from a day on; nothing that is billed changes. */
export function PriceDialog({
  of: standard,
  onClose,
}: {
  readonly of: FeeStandard
  readonly onClose: () => void
}) {
  const send = useSend(changePrice, { quiet: true })
  const known = useCall(listVersions, { standardId: standard.id }, { quiet: true })
  const formulaQuery = useCall(
    getFormula,
    { id: standard.formulaId },
    { quiet: true, enabled: standard.formulaType === 'custom' },
  )
  const formula = formulaQuery.data
  const groups = useMemo(
    (): readonly FormFieldGroup[] => [
      {
        keys: [
          ...createPriceFormKeys(
            () => standard.formulaType,
            () => formula,
          ),
          'reason',
        ],
      },
    ],
    [standard.formulaType, formula],
  )
  const initial = useMemo(() => {
    const last = known.data?.[0]
    const {
      id: _id,
      version: _version,
      effectiveDate: _effectiveDate,
      endDate: _endDate,
      createTime: _createTime,
      updateTime: _updateTime,
      reason: _reason,
      standardId: _standardId,
      used: _used,
      ...previousPrice
    }: Partial<StandardVersion> = last ?? {}
    return { ...previousPrice, standardId: standard.id, effectiveDate: today() }
  }, [known.data, standard.id])
  if (!known.data || (standard.formulaType === 'custom' && formulaQuery.isPending))
    return <RowSkeleton rows={3} />
  return (
    <EditDialog
      shape={changePrice.input}
      draftKey={draftKeyOf(changePrice, standard.id)}
      title={`调价「${standard.name}」`}
      groups={groups}
      initial={initial}
      submitLabel="确认调价"
      presentation="drawer"
      save={v => send.mutateAsync({ ...v, standardId: standard.id })}
      onClose={onClose}
      below={values => (
        <p className="formula-read">
          {values.effectiveDate
            ? `${values.effectiveDate} 起的账单按新价格；已经出的账单不变，跨该日的账期分两段计算`
            : '选择生效日期'}
        </p>
      )}
      onDone={a => {
        onClose()
        void offerReprice(standard, a)
      }}
    />
  )
}

/** 更正 (FEE-6): the same day, another price; nothing was billed by the wrong one. */
export function CorrectDialog({
  of: standard,
  version,
  onClose,
}: {
  readonly of: FeeStandard
  readonly version: StandardVersion
  readonly onClose: () => void
}) {
  const send = useSend(correctVersion, { quiet: true })
  const formulaQuery = useCall(
    getFormula,
    { id: standard.formulaId },
    { quiet: true, enabled: standard.formulaType === 'custom' },
  )
  const formula = formulaQuery.data
  const groups = useMemo(
    (): readonly FormFieldGroup[] => [
      {
        keys: [
          ...createPriceFormKeys(
            () => standard.formulaType,
            () => formula,
          ).filter(a => (typeof a === 'string' ? a : a.key) !== 'effectiveDate'),
          { key: 'reason', help: '会写入变更记录' },
        ],
      },
    ],
    [standard.formulaType, formula],
  )
  const initial = useMemo(() => ({ ...version, reason: undefined }), [version])
  if (standard.formulaType === 'custom' && formulaQuery.isPending) return <RowSkeleton rows={3} />
  return (
    <EditDialog
      shape={correctVersion.input}
      draftKey={draftKeyOf(correctVersion, version.id)}
      title={`更正「${standard.name}」${version.effectiveDate === '2000-01-01' ? '' : `${version.effectiveDate} 起`}的价格`}
      groups={groups}
      initial={initial}
      submitLabel="确认更正"
      presentation="drawer"
      save={x => send.mutateAsync({ ...x, id: version.id, version: defined(version.version) })}
      onClose={onClose}
      below={() => <p className="formula-read">没有账单使用该价格，可直接修改；生效日期不变</p>}
      onDone={() => {
        toast.success('价格已更正')
        onClose()
      }}
    />
  )
}
