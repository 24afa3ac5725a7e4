import { useState } from 'react'
import { useNavigate } from 'react-router'
import { act } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { danger } from '#kit/web/confirm.tsx'
import { DetailPage } from '#kit/web/detail/detail-page.tsx'
import { later } from '#kit/web/later.tsx'
import { Skeleton, State, Trouble } from '#kit/web/list/states.tsx'
import { screenVerb } from '#kit/web/screen-verb.ts'
import { useCall } from '#kit/web/query.ts'
import { Choice, Status } from '#kit/web/status.tsx'
import { DataTable } from '#kit/web/table/data-table.tsx'
import { toast } from '#kit/web/toast.ts'
import { RowVerbs, useVerbs } from '#kit/web/verb.tsx'
import { today } from '#kit/web/when.ts'
import { inUse } from '#modules/estates/contract/estate.ts'
import { oneFormula } from '../contract/formula.ts'
import {
  deleteVersion,
  feeStandard,
  listVersions,
  oneStandard,
  type FeeStandard,
  type StandardVersion,
} from '../contract/standard.ts'
import { priceRefusal } from '../domain/priced.ts'
import { menu } from '../module.ts'
import { standardShown } from './groups.ts'
import { places, see, since } from './places.ts'
import { turnStandard } from './standards.tsx'

const Trial = later(() => import('./trial.tsx').then(m => m.Trial))

const Relations = later(
  () => import('./relations.tsx').then(m => m.Relations as never),
  <Skeleton rows={8} />,
) as typeof import('./relations.tsx').Relations

const PriceDialog = later(() => import('./price.tsx').then(m => m.PriceDialog))
const CopyDialog = later(() => import('./price.tsx').then(m => m.CopyDialog))
const CorrectDialog = later(() => import('./price.tsx').then(m => m.CorrectDialog))

const holding = (v: StandardVersion): 'past' | 'now' | 'coming' =>
  v.effectiveDate > today() ? 'coming' : v.endDate !== undefined && v.endDate < today() ? 'past' : 'now'

const words = {
  past: <Status tone="off">已失效</Status>,
  now: <Status tone="done">现行</Status>,
  coming: <Status tone="todo">待生效</Status>,
}

const plain = { past: '已失效', now: '现行', coming: '待生效' }

const tierWords = (v: StandardVersion): string =>
  (v.tiers ?? [])
    .map((t, i, all) => `${t.to === undefined ? `${all[i - 1]?.to ?? 0} 以上` : `至 ${t.to}`} ${t.price} 元`)
    .join('；')

const shown = columns(listVersions.output, [
  {
    key: 'effectiveDate',
    identity: true,
    render: v => since(v.effectiveDate),
    text: v => since(v.effectiveDate),
  },
  'endDate',
  { key: 'price', render: v => v.price ?? tierWords(v), text: v => v.price ?? tierWords(v), grow: 1 },
  'extra',
  {
    key: 'params',
    title: '参数值',
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
    render: (v: StandardVersion) => words[holding(v)],
    text: (v: StandardVersion) => plain[holding(v)],
  },
])

/**
 * The prices from the newest on; what no bill was made by may be put right, and taken back before it begins
 * (FEE-6).
 */
function Versions({ of }: { readonly of: FeeStandard }) {
  const all = useCall(listVersions, { standardId: of.id }, { quiet: true })
  const verbsFor = useVerbs()
  const [right, setRight] = useState<StandardVersion>()
  if (all.isError) return <Trouble error={all.error} retry={() => void all.refetch()} />
  if (!all.data) return <Skeleton rows={4} />
  const back = (v: StandardVersion) =>
    danger({
      verb: '撤销',
      what: '个价格版本',
      count: 1,
      title: `撤销 ${v.effectiveDate} 起的价格`,
      follows: ['前一个价格接着有效'],
      reason: { presets: ['填写有误', '暂不调价'] },
      run: async reason => {
        await act(deleteVersion, { id: v.id, reason }, { quiet: true })
        toast.success('已撤销')
      },
    })
  return (
    <div className="detail-tab">
      <DataTable
        dense
        rows={all.data}
        columns={shown}
        keyOf={v => v.id}
        label="价格版本"
        actions={v => (
          <RowVerbs
            verbs={verbsFor([
              !priceRefusal(of.formulaType) && {
                label: '更正',
                may: menu.standard.may.price,
                why: v.used ? '已有账单用这个价格：先作废这些账单，或从后面的一天起调价' : undefined,
                run: () => setRight(v),
              },
              {
                label: '撤销',
                may: menu.standard.may.price,
                danger: true,
                why: holding(v) === 'coming' ? undefined : '已经生效，不能撤销；请另加一个价格版本',
                run: () => back(v),
              },
            ])}
          />
        )}
        instead={all.data.length ? undefined : <State words="还没有价格" />}
      />
      {right && <CorrectDialog of={of} version={right} onClose={() => setRight(undefined)} />}
    </div>
  )
}

function TrialOf({ of }: { readonly of: FeeStandard }) {
  const prices = useCall(listVersions, { standardId: of.id }, { quiet: true })
  const formula = useCall(oneFormula, { id: of.formulaId }, { quiet: true })
  if (prices.isError || formula.isError)
    return (
      <Trouble
        error={(prices.error ?? formula.error)!}
        retry={() => {
          void prices.refetch()
          void formula.refetch()
        }}
      />
    )
  if (!prices.data || !formula.data) return <Skeleton rows={4} />
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

const oldBills = (s: FeeStandard & { readonly oldBills?: number }): number => s.oldBills ?? 0

export default function StandardDetailPage() {
  const navigate = useNavigate()
  const [open, setOpen] = useState<{ readonly what: 'price' | 'copy'; readonly of: FeeStandard }>()
  const close = (): void => setOpen(undefined)
  return (
    <DetailPage
      one={oneStandard}
      title={s => s.name}
      status={s => <Choice of={inUse} value={s.state} />}
      groups={standardShown}
      history={feeStandard.name}
      tabs={[
        { key: 'prices', label: '价格版本', body: s => <Versions of={s} /> },
        { key: 'trial', label: '试算', body: s => <TrialOf of={s} /> },
        {
          key: 'relations',
          label: '收费关联',
          body: s => <Relations embedded fixed={{ standardId: [String(s.id)] }} />,
        },
      ]}
      verbs={s => [
        {
          label: '调价',
          may: menu.standard.may.price,
          why: s.state === 'off' ? '标准已停用' : priceRefusal(s.formulaType),
          run: () => setOpen({ what: 'price', of: s }),
        },
        oldBills(s) > 0 && screenVerb(places.reprice, { id: s.id }, `重新生成旧价账单（${oldBills(s)}）`),
        { label: '编辑', may: menu.standard.may.edit, run: () => navigate(see(places.editStandard, s.id)) },
        {
          label: '批量绑定',
          may: menu.relation.may.batch,
          why: s.state === 'off' ? '标准已停用' : undefined,
          run: () => navigate(`${places.bind}?standard=${s.id}`),
        },
        { label: '复制到其他项目', may: menu.standard.may.copy, run: () => setOpen({ what: 'copy', of: s }) },
        turnStandard.row(s),
      ]}
      below={
        <>
          {open?.what === 'price' && <PriceDialog of={open.of} onClose={close} />}
          {open?.what === 'copy' && <CopyDialog of={[open.of]} onClose={close} />}
        </>
      }
    />
  )
}
