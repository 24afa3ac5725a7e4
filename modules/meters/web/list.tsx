import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { act, bulkWords, withReason } from '#kit/web/acts.ts'
import { columns } from '#kit/web/columns.tsx'
import { danger } from '#kit/web/confirm.tsx'
import { useEdit } from '#kit/web/form/use-edit.tsx'
import { later } from '#kit/web/later.tsx'
import { ListPage } from '#kit/web/list/list-page.tsx'
import { download, send } from '#kit/web/send.ts'
import { hasRef } from '#kit/web/refs.ts'
import { Choice } from '#kit/web/status.tsx'
import { toast } from '#kit/web/toast.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { meterState } from '../contract/choices.ts'
import {
  addMeter,
  deleteFound,
  deleteMeters,
  editMeter,
  listMeters,
  oneMeter,
  printLabels,
  undoChange,
} from '../contract/device.ts'
import { meter, type Meter } from '../contract/meter.ts'
import { exportMeters, importMeters } from '../contract/transfer.ts'
import { menu } from '../module.ts'
import { Readings } from './readings.tsx'
import { MeterState, SourceChoice, SourceKind } from './source.tsx'
import './meters.css'

const ReplaceDialog = later(() => import('./replace.tsx').then(m => m.ReplaceDialog))
const StandardDialog = later(() => import('./standard.tsx').then(m => m.StandardDialog))
const Replaced = later(() => import('./readings.tsx').then(m => m.Replaced))
const gone = (m: Meter): string | undefined => (m.state === 'replaced' ? '仪表已更换' : undefined)

const remove = withReason<Meter>(deleteMeters, {
  what: '只仪表',
  name: m => m.meterNo,
  follows: ['有抄表记录、下级表或收费关联的仪表不能删除，请改为停用'],
  presets: ['录入有误', '重复录入'],
})

const shown = columns(listMeters.output, [
  { key: 'meterNo', identity: true, width: 150 },
  { key: 'sourceName', grow: 1 },
  'meterKind',
  { key: 'meterUse', drop: 2 },
  { key: 'multiple', drop: 1 },
  { key: 'digits', aside: true },
  { key: 'initNum', aside: true },
  { key: 'installDate', drop: 3 },
  { key: 'isSmart', drop: 1 },
  { key: 'deviceNo', aside: true },
  { key: 'standardName', drop: 1 },
  { key: 'nextVerifyDate', drop: 2 },
  { key: 'location', drop: 3 },
  'state',
])

const views = [
  { id: '', name: '在用', filter: { state: ['active', 'broken'] } },
  { id: 'verify', name: '检定到期', filter: { verifyDue: true } },
  { id: 'loose', name: '未设收费标准', filter: { loose: true } },
  { id: 'smart', name: '智能表', filter: { isSmart: true } },
  { id: 'main', name: '总表与公共表', filter: { meterUse: ['main', 'common', 'shared'] } },
  { id: 'gone', name: '已更换、停用', filter: { state: ['replaced', 'stopped'] } },
  { id: 'all', name: '全部', filter: {} },
]

const groups = [
  {
    title: '仪表',
    keys: [
      'meterNo',
      'meterKind',
      {
        key: 'meterUse',
        then: (v: unknown, x: { sourceType?: string }) =>
          v === 'household' && !x.sourceType ? { sourceType: 'room' } : undefined,
      },
      { key: 'state', control: MeterState, wide: false },
      {
        key: 'sourceType',
        control: SourceKind,
        label: '装在',
        wide: false,
        then: () => ({ sourceCode: undefined }),
      },
      {
        key: 'sourceCode',
        control: SourceChoice,
        label: '房屋或公共区域',
        wide: false,
        help: '',
        hidden: (v: { sourceType?: string }) => !v.sourceType,
      },
      'location',
      { key: 'parentMeterId', help: '分表填写总表，用来算损耗' },
    ],
  },
  {
    title: '计数',
    keys: [
      { key: 'multiple', help: '只影响以后的读数' },
      'digits',
      'decimals',
      { key: 'initNum', help: '没有它，第一次读数不计用量' },
      'installDate',
    ],
  },
  {
    title: '智能表与检定',
    keys: [
      'isSmart',
      { key: 'deviceNo', help: '上报读数时用' },
      'prepayMode',
      'verifyDate',
      'nextVerifyDate',
      { key: 'remark', wide: true },
    ],
  },
]

const shownGroups = [
  {
    title: '仪表',
    keys: ['meterNo', 'meterKind', 'meterUse', 'sourceName', 'location', 'standardName', 'state'] as const,
  },
  { title: '计数', keys: ['multiple', 'digits', 'decimals', 'initNum', 'installDate'] as const },
  {
    title: '智能表与检定',
    keys: ['isSmart', 'deviceNo', 'prepayMode', 'verifyDate', 'nextVerifyDate', 'remark'] as const,
  },
]

type Open =
  | { readonly what: 'replace'; readonly of: Meter }
  | { readonly what: 'standard'; readonly of: readonly Meter[] }

/** 仪表: what counts where, by which standard it is charged, when it must be verified. */
export default function MetersPage() {
  const project = useProject()
  const [open, setOpen] = useState<Open>()
  const close = (): void => setOpen(undefined)
  const [params] = useSearchParams()
  const asked = params.get('id')
  const form = useEdit({
    what: '仪表',
    add: addMeter,
    edit: editMeter,
    one: oneMeter,
    rowIsWhole: true,
    name: (m: Meter) => m.meterNo,
    groups,
    initial: {
      meterKind: 'cold',
      meterUse: 'household',
      sourceType: 'room',
      multiple: '1',
      decimals: 2,
      isSmart: false,
      prepayMode: 'after',
      state: 'active',
    } as never,
    as: 'drawer',
    why: gone,
  })
  // A link of a room's panel names one meter.
  useEffect(() => {
    if (asked && /^\d+$/.test(asked)) {
      void send(oneMeter, { id: Number(asked) })
        .then(m => form.openRow(m))
        .catch(() => undefined)
    }
  }, [asked])
  const labels = (input: object): Promise<unknown> =>
    download(printLabels, { ...input, address: location.origin } as never)
  const wipe = (filter: Readonly<Record<string, unknown>>, count: number): Promise<boolean> =>
    danger({
      verb: '删除',
      what: '只仪表',
      count,
      follows: ['按当前筛选条件删除，有抄表记录的会保留'],
      reason: { presets: ['整批录错'] },
      run: async reason => {
        const got = await act(deleteFound, { ...filter, expected: count, reason } as never, { quiet: true })
        ;(got.fail ? toast.warning : toast.success)(bulkWords(got))
      },
    })
  const undo = (m: Meter): Promise<boolean> =>
    danger({
      verb: '撤销换表',
      what: '只仪表',
      count: 1,
      title: `撤销「${m.meterNo}」的换表`,
      follows: ['新表删除，旧表恢复在用，收费标准与下级表回到旧表。', '新表已有读数的，请先删除读数再撤销。'],
      reason: { presets: ['止数录错', '换错了表'] },
      run: async reason => {
        await act(undoChange, { meterId: m.id, reason }, { quiet: true })
        toast.success(`「${m.meterNo}」已恢复在用`)
      },
    })
  const charged = hasRef('feeStandard')
  const verbs = (m: Meter) => [
    form.edit(m),
    m.state === 'replaced'
      ? { label: '撤销换表', may: menu.meter.may.replace, run: () => undo(m) }
      : { label: '换表', may: menu.meter.may.replace, run: () => setOpen({ what: 'replace', of: m }) },
    charged && {
      label: '收费标准',
      may: menu.meter.may.standard,
      why: gone(m),
      run: () => setOpen({ what: 'standard', of: [m] }),
    },
    {
      label: '打印二维码',
      may: menu.meter.may.label,
      run: () => labels({ projectCode: m.projectCode, ids: [String(m.id)] }),
    },
    remove.row(m),
  ]
  return (
    <>
      <ListPage
        list={listMeters}
        what="仪表"
        columns={shown}
        filters={[
          'meterKind',
          'meterUse',
          'buildCode',
          'isSmart',
          'verifyDue',
          'loose',
          'installDate',
          'nextVerifyDate',
          'state',
        ]}
        bar={['meterKind', 'buildCode']}
        views={views}
        sought="表号、房间"
        import={project ? importMeters : undefined}
        importGiven={{ projectCode: project }}
        export={exportMeters}
        primary={form.add}
        row={verbs}
        dim={m => m.state === 'replaced' || m.state === 'stopped'}
        batch={[
          charged && {
            label: '收费标准',
            may: menu.meter.may.standard,
            run: t => setOpen({ what: 'standard', of: t.rows }),
          },
          {
            label: '打印二维码',
            may: menu.meter.may.label,
            whole: true,
            run: t => labels(t.whole ? (t.whole.filter as object) : { ids: t.ids }),
          },
          {
            ...remove.batch,
            whole: true,
            run: t => (t.whole ? wipe(t.whole.filter as never, t.whole.count) : remove.batch.run(t)),
          },
        ]}
        drawer={{
          title: m => m.meterNo,
          width: 880,
          status: m => <Choice of={meterState} value={m.state} />,
          groups: shownGroups,
          history: meter.name,
          verbs,
          tabs: [
            { key: 'readings', label: () => '抄表记录', body: m => <Readings meterId={m.id} /> },
            { key: 'replaced', label: () => '换表', body: m => <Replaced of={m} /> },
          ],
        }}
      />
      {form.dialog}
      {open?.what === 'replace' && <ReplaceDialog of={open.of} onClose={close} />}
      {open?.what === 'standard' && <StandardDialog of={open.of} onClose={close} />}
    </>
  )
}
