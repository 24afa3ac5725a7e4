import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { withReason } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import type { AskGroup } from '#kit/web/form/form-fields.tsx'
import { later } from '#kit/web/later.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { Choice } from '#kit/web/status.tsx'
import { screenVerb } from '#kit/web/screen-verb.ts'
import type { Verbs } from '#kit/web/verb.tsx'
import { useProject } from '#modules/estates/web/public.tsx'
import { deleteRelations, editRelation, listRelations, oneRelation, stopRelations } from '../contract/bind.ts'
import { relationState } from '../contract/choices.ts'
import { feeRelation, type FeeRelation } from '../contract/relation.ts'
import { exportRelations, importRelations } from '../contract/transfer.ts'
import { menu } from '../module.ts'
import { relationShown } from './groups.ts'
import { places } from './places.ts'
import { PayerControl } from './payer-control.tsx'

const ResumeDialog = later(() => import('./charge-dialogs.tsx').then(m => m.ResumeDialog))
const EndDialog = later(() => import('./charge-dialogs.tsx').then(m => m.EndDialog))
const name = (r: FeeRelation): string => `${r.sourceName} ${r.standardName ?? ''}`

const remove = withReason<FeeRelation>(deleteRelations, {
  what: '个收费关联',
  name,
  follows: ['已有账单的不会删除，请改为结束收费'],
  presets: ['绑定有误', '重复绑定'],
})

const stop = withReason<FeeRelation>(stopRelations, {
  verb: '停收',
  what: '个收费关联',
  name,
  follows: ['停收期间不出账；恢复时可以选择补收或不补收'],
  presets: ['空关', '争议处理中', '整改期间'],
  why: r => (r.state === 'charging' ? undefined : r.state === 'suspended' ? '已是停收' : '已结束收费'),
})

const shown = columns(listRelations.output, [
  { key: 'sourceName', identity: true, width: 128 },
  { key: 'sourceType', width: 88 },
  { key: 'feeItemName', title: '收费项目' },
  { key: 'standardName', title: '收费标准', grow: 1 },
  'price',
  'beginDate',
  { key: 'endDate', drop: 1 },
  'billedTo',
  { key: 'priceOverride', aside: true },
  { key: 'quantity', aside: true },
  { key: 'payerName', aside: true },
  { key: 'createTime', title: '绑定时间', aside: true },
  'state',
])

const views = [
  { id: '', name: '全部', filter: {} },
  { id: 'live', name: '在收', filter: { live: true } },
  { id: 'suspended', name: '停收', filter: { state: ['suspended'] } },
  { id: 'own', name: '单价有覆盖', filter: { priced: true } },
  { id: 'places', name: '车位', filter: { sourceType: ['parkPlace'] } },
  { id: 'areas', name: '公共区域', filter: { sourceType: ['publicArea'] } },
]

const groups: readonly AskGroup[] = [
  { keys: ['standardId', 'beginDate', { key: 'endDate', help: '这一天还收；留空一直收' }] },
  {
    title: '这个对象自己的',
    keys: [
      'priceOverride',
      'ratioOverride',
      'quantity',
      { key: 'free', wide: true, help: '免收期内的天数不收，账期照常往前；已出的账单不变，要免收请先作废' },
      {
        key: 'payerId',
        control: PayerControl,
        also: ['payerKind'],
        spread: v => v as Record<string, unknown>,
        wide: true,
        help: '留空时由房间的缴费人缴',
      },
      { key: 'remark', wide: true },
    ],
  },
]

interface Props {
  readonly embedded?: boolean
  readonly fixed?: NonNullable<typeof listRelations.input.T>
}

type Open = { readonly what: 'resume' | 'end'; readonly of: readonly FeeRelation[] }

/** Who is charged by what, since when, and how far. */
export function Relations({ embedded = false, fixed = {} }: Props) {
  const navigate = useNavigate()
  const project = useProject()
  const [open, setOpen] = useState<Open>()
  const close = (): void => setOpen(undefined)
  const form = useEdit({ what: '收费关联', edit: editRelation, one: oneRelation, name, groups, as: 'drawer' })
  const table = useMemo(
    () =>
      shown.filter(
        c =>
          !(fixed.standardId && (c.key === 'feeItemName' || c.key === 'standardName')) &&
          !(fixed.sourceCode && (c.key === 'sourceType' || c.key === 'sourceName')),
      ),
    [fixed.standardId, fixed.sourceCode],
  )
  const verbs = (r: FeeRelation): Verbs => [
    form.edit(r),
    r.state === 'suspended'
      ? { label: '恢复收费', may: menu.relation.may.stop, run: () => setOpen({ what: 'resume', of: [r] }) }
      : stop.row(r),
    {
      label: '结束收费',
      may: menu.relation.may.stop,
      why: r.state === 'ended' ? '已结束收费' : undefined,
      run: () => setOpen({ what: 'end', of: [r] }),
    },
    remove.row(r),
  ]
  const view = embedded ? [views[0]!] : views
  return (
    <>
      <ListPage
        list={listRelations}
        what="收费关联"
        name={embedded ? 'fees/relations-in' : 'fees/relations'}
        columns={
          table.length && !table.some(c => c.identity)
            ? table.map((c, i) => (i ? c : { ...c, identity: true }))
            : table
        }
        sought="房间/车位/名称"
        embedded={embedded}
        fixed={fixed}
        filters={[
          'feeItemId',
          'standardId',
          'sourceType',
          'buildCode',
          'state',
          'live',
          'priced',
          'beginDate',
          'endDate',
          'billedTo',
          'createTime',
        ]}
        bar={embedded ? [] : ['feeItemId', 'standardId', 'buildCode']}
        views={view}
        import={project && !embedded ? importRelations : undefined}
        importGiven={{ projectCode: project }}
        export={embedded ? undefined : exportRelations}
        primary={
          !embedded && {
            label: '批量绑定',
            may: menu.relation.may.batch,
            why: project ? undefined : '请先在上方选择一个项目',
            run: () => navigate(places.bind),
          }
        }
        row={verbs}
        dim={r => r.state === 'ended'}
        batch={[
          stop.batch,
          {
            label: '恢复收费',
            may: menu.relation.may.stop,
            why: t => (t.rows.every(r => r.state === 'suspended') ? undefined : '只能恢复停收的关联'),
            run: t => setOpen({ what: 'resume', of: t.rows }),
          },
          { label: '结束收费', may: menu.relation.may.stop, run: t => setOpen({ what: 'end', of: t.rows }) },
          remove.batch,
        ]}
        drawer={{
          title: name,
          status: r => <Choice of={relationState} value={r.state} />,
          one: oneRelation,
          groups: relationShown,
          history: feeRelation.name,
          verbs: r => [
            ...verbs(r),
            screenVerb(
              scaleOf[r.sourceType] ?? '',
              { codes: r.sourceCode, project: r.projectCode },
              '为它绑定标准',
            ),
          ],
        }}
      />
      {form.dialog}
      {open?.what === 'resume' && <ResumeDialog of={open.of} onClose={close} />}
      {open?.what === 'end' && <EndDialog of={open.of} onClose={close} />}
    </>
  )
}

/** Where one object's standards are bound. */
const scaleOf: Readonly<Partial<Record<FeeRelation['sourceType'], string>>> = {
  room: '/service/data/roommange/addroomfeescale',
  parkPlace: '/service/data/parklots/carportlist/addcarportfeescale',
  publicArea: '/service/data/PublicAreaManage/addPublicFeescale',
}

export const RelationsPage = () => <Relations />
