import { defined } from '#kit/domain/defined.ts'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { confirmAndSend } from '#kit/web/record-actions.ts'
import { buildColumns } from '#kit/web/columns.tsx'
import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { lazyComponent } from '#kit/web/lazy-component.tsx'
import { RowSkeleton, StateMessage, ErrorState } from '#kit/web/list/list-feedback.tsx'
import { screenAction } from '#kit/web/screen-action.ts'
import { useCall } from '#kit/web/query.ts'
import { ChoiceStatus, Status } from '#kit/web/status.tsx'
import { DataTable } from '#kit/web/table/data-table.tsx'
import { RowActions, useAllowedActions } from '#kit/web/action.tsx'
import { today } from '#kit/web/date-format.ts'
import { enabledState } from '#modules/estates/contract/estate.ts'
import { getFormula } from '../contract/formula.ts'
import { feeStandard, type FeeStandard, type StandardVersion } from '../contract/standard.ts'
import { deleteVersion, listVersions, getStandard } from '../contract/standard-calls.ts'
import { priceRefusal } from '../domain/price-change.ts'
import { menu } from '../module.ts'
import { standardDetailGroups } from './form-groups.ts'
import { paths, pathWithId, formatSince } from './paths.ts'
import { standardStateActions } from './standards.tsx'

const Trial = lazyComponent(() => import('./trial.tsx').then(m => m.Trial))

const Relations = lazyComponent(
  () => import('./relations.tsx').then(m => m.Relations),
  <RowSkeleton rows={8} />,
)

const PriceDialog = lazyComponent(() => import('./price-dialogs.tsx').then(m => m.PriceDialog))
const CopyDialog = lazyComponent(() => import('./copy-dialog.tsx').then(m => m.CopyDialog))
const CorrectDialog = lazyComponent(() => import('./price-dialogs.tsx').then(m => m.CorrectDialog))

const versionPhase = (v: StandardVersion): 'past' | 'now' | 'coming' =>
  v.effectiveDate > today() ? 'coming' : v.endDate !== undefined && v.endDate < today() ? 'past' : 'now'

const phaseStatuses = {
  past: <Status tone="off">已失效</Status>,
  now: <Status tone="done">现行</Status>,
  coming: <Status tone="todo">待生效</Status>,
}

const phaseLabels = { past: '已失效', now: '现行', coming: '待生效' }

const formatTiers = (v: StandardVersion): string =>
  (v.tiers ?? [])
    .map((t, i, all) => `${t.to === undefined ? `${all[i - 1]?.to ?? 0} 以上` : `至 ${t.to}`} ${t.price} 元`)
    .join('；')

const versionColumns = buildColumns(listVersions.output, [
  {
    key: 'effectiveDate',
    identity: true,
    render: v => formatSince(v.effectiveDate),
    text: v => formatSince(v.effectiveDate),
  },
  'endDate',
  { key: 'price', render: v => v.price ?? formatTiers(v), text: v => v.price ?? formatTiers(v), grow: 1 },
  'extra',
  {
    key: 'params',
    width: 160,
    align: 'left',
    render: v => v.params?.map(p => `${p.name} ${p.value}`).join('、'),
    text: v => v.params?.map(p => `${p.name} ${p.value}`).join('、') ?? '',
  },
  'reason',
  {
    key: 'state',
    title: '状态',
    width: 88,
    render: (v: StandardVersion) => phaseStatuses[versionPhase(v)],
    text: (v: StandardVersion) => phaseLabels[versionPhase(v)],
  },
])

/** The prices, latest first. One that no bill uses can be corrected, and withdrawn before it begins */
function Versions({ of }: { readonly of: FeeStandard }) {
  const all = useCall(listVersions, { standardId: of.id }, { quiet: true })
  const allowedActions = useAllowedActions()
  const [right, setRight] = useState<StandardVersion>()
  if (all.isError) return <ErrorState error={all.error} onRetry={() => void all.refetch()} />
  if (!all.data) return <RowSkeleton rows={4} />
  const back = (version: StandardVersion) =>
    confirmAndSend(deleteVersion, {
      actionLabel: '撤销',
      unit: '个价格版本',
      title: `撤销 ${version.effectiveDate} 起的价格`,
      consequences: ['前一价格继续有效'],
      reason: { presets: ['填写有误', '暂不调价'] },
      input: { id: version.id },
    })
  return (
    <div className="detail-tab">
      <DataTable
        dense
        rows={all.data}
        columns={versionColumns}
        keyOf={v => v.id}
        label="价格版本"
        actions={values => (
          <RowActions
            actions={allowedActions([
              !priceRefusal(of.formulaType) && {
                label: '更正',
                needs: menu.standard.permissions.price,
                disabledReason: values.used
                  ? '已有账单用该价格：先作废这些账单，或自其后的日期起调价'
                  : undefined,
                run: () => setRight(values),
              },
              {
                label: '撤销',
                needs: menu.standard.permissions.price,
                danger: true,
                disabledReason:
                  versionPhase(values) === 'coming' ? undefined : '已经生效，不能撤销；请另加一个价格版本',
                run: () => back(values),
              },
            ])}
          />
        )}
        placeholder={all.data.length ? undefined : <StateMessage text="暂无价格" />}
      />
      {right && <CorrectDialog of={of} version={right} onClose={() => setRight(undefined)} />}
    </div>
  )
}

function StandardTrial({ of }: { readonly of: FeeStandard }) {
  const prices = useCall(listVersions, { standardId: of.id }, { quiet: true })
  const formula = useCall(getFormula, { id: of.formulaId }, { quiet: true })
  if (prices.isError || formula.isError)
    return (
      <ErrorState
        error={defined(prices.error ?? formula.error)}
        onRetry={() => {
          void prices.refetch()
          void formula.refetch()
        }}
      />
    )
  if (!prices.data || !formula.data) return <RowSkeleton rows={4} />
  return (
    <div className="detail-tab narrow">
      <Trial
        standard={of}
        metered={of.feeType === 'metered'}
        formula={formula.data}
        versions={prices.data.toReversed()}
      />
    </div>
  )
}

const countOutdatedBills = (s: FeeStandard & { readonly oldBills?: number }): number => s.oldBills ?? 0

export default function StandardDetailPage() {
  const navigate = useNavigate()
  const [open, setOpen] = useState<{ readonly kind: 'price' | 'copy'; readonly of: FeeStandard }>()
  const close = (): void => setOpen(undefined)
  return (
    <DetailPage
      loadCall={getStandard}
      title={s => s.name}
      status={s => <ChoiceStatus choices={enabledState} value={s.state} />}
      groups={standardDetailGroups}
      historyEntity={feeStandard.name}
      tabs={[
        { key: 'prices', label: '价格版本', body: s => <Versions of={s} /> },
        { key: 'trial', label: '试算', body: s => <StandardTrial of={s} /> },
        {
          key: 'relations',
          label: '收费关联',
          body: s => <Relations embedded fixed={{ standardId: [String(s.id)] }} />,
        },
      ]}
      actions={standard => [
        {
          label: '调价',
          needs: menu.standard.permissions.price,
          disabledReason: standard.state === 'off' ? '标准已停用' : priceRefusal(standard.formulaType),
          run: () => setOpen({ kind: 'price', of: standard }),
        },
        countOutdatedBills(standard) > 0 &&
          screenAction(
            paths.reprice,
            { id: standard.id },
            `重新生成旧价账单（${countOutdatedBills(standard)}）`,
          ),
        {
          label: '编辑',
          needs: menu.standard.permissions.edit,
          run: () => navigate(pathWithId(paths.editStandard, standard.id)),
        },
        {
          label: '批量绑定',
          needs: menu.relation.permissions.batch,
          disabledReason: standard.state === 'off' ? '标准已停用' : undefined,
          run: () => navigate(`${paths.bind}?standard=${standard.id}`),
        },
        {
          label: '复制到其他项目',
          needs: menu.standard.permissions.copy,
          run: () => setOpen({ kind: 'copy', of: standard }),
        },
        standardStateActions.row(standard),
      ]}
      footer={
        <>
          {open?.kind === 'price' && <PriceDialog of={open.of} onClose={close} />}
          {open?.kind === 'copy' && <CopyDialog of={[open.of]} onClose={close} />}
        </>
      }
    />
  )
}
