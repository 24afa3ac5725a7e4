import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import { FormPage } from '#kit/web/form/form-page.tsx'
import type { AskGroup } from '#kit/web/form/form-fields.tsx'
import { later } from '#kit/web/later.tsx'
import { Skeleton } from '#kit/web/list/states.tsx'
import { useSend } from '#kit/web/query.ts'
import { usePermission } from '#kit/web/session.ts'
import { toast } from '#kit/web/toast.ts'
import { today } from '#kit/web/when.ts'
import { firstOfMonth } from '#kit/domain/day.ts'
import { useProject } from '#modules/estates/web/public.tsx'
import { batchBind, type BindAnswer } from '../contract/bind.ts'
import { menu } from '../module.ts'
import { BindPreview } from './bind-preview.tsx'
import { ObjectsControl, type SourceType } from './objects-control.tsx'
import { manyOf, oneOfThese } from './price.tsx'

const Relations = later(() => import('./relations.tsx').then(m => m.Relations as never), <Skeleton rows={6} />) as typeof import('./relations.tsx').Relations
type Draft = NonNullable<typeof batchBind.input.T>
const groups: readonly AskGroup[] = [
  { title: '收费对象', keys: [{ key: 'sourceCodes', control: ObjectsControl, wide: true }] },
  { title: '绑定收费标准', keys: [{ key: 'standardIds', control: manyOf('feeStandard'), wide: true, help: '可以选几个；同一收费项目只能选一个标准' }, { key: 'packageId', control: oneOfThese('feePackage'), wide: true, help: '或者选一个套餐' }, { key: 'mode', wide: true }, 'beginDate', 'endDate', { key: 'priceOverride', help: '留空按标准的单价' }, { key: 'ratioOverride', help: '留空按标准' }, { key: 'quantity', help: '按数量计费时填写' }, 'remark'] },
]
/** The standards of one or some objects, reached from their own lists and pages: what they have, and what is to be bound. */
function Scale({ type, what }: { readonly type: SourceType; readonly what: string }) {
  const [at] = useSearchParams(), chosen = useProject(), may = usePermission(), project = at.get('project') ?? chosen, codes = at.get('codes') ?? '', save = useSend(batchBind, { quiet: true })
  const initial = useMemo(() => ({ projectCode: project, sourceType: type, sourceCodes: codes.split(',').filter(Boolean), beginDate: firstOfMonth(today()) }), [project, type, codes])
  const whole = (v: Partial<Draft>): Partial<Draft> => ({ ...v, projectCode: project, sourceType: type } as Partial<Draft>)
  return (
    <FormPage
      key={`${project} ${codes}`} of={batchBind.input} title={`${what}收费标准`} groups={groups} initial={initial as never} words="绑定" save={v => save.mutateAsync(whole(v) as Draft)}
      rules={v => ({ ...(v.standardIds?.length || v.packageId ? {} : { standardIds: '请选择收费标准或套餐' }), ...(v.beginDate && v.endDate && v.endDate < v.beginDate ? { endDate: '止收日期不能早于起收日期' } : {}) })}
      aside={v => <BindPreview ask={whole(v)} ready={!!project && !!v.sourceCodes?.length && !!(v.standardIds?.length || v.packageId)} wanted={project ? `选好${what}和收费标准后，这里列出将绑定和跳过的` : '请先在上方选择一个项目'} />}
      below={v => (v.sourceCodes?.length === 1 && may(menu.relation.may.view) ? <section className="ask-group bound-now"><h3>现有的收费标准</h3><Relations embedded fixed={{ ...(project ? { projectCode: project } : {}), sourceType: [type], sourceCode: v.sourceCodes[0]! } as never} /></section> : null)}
      onDone={a => { const said = a as BindAnswer; (said.success ? toast.success : toast.warning)(said.success ? `已绑定 ${said.success} 个${said.skipped ? `，跳过 ${said.skipped} 个` : ''}` : said.rows[0]?.reason ?? '没有可以绑定的') }}
    />
  )
}
export const RoomScalePage = () => <Scale type="room" what="房间" />
export const ShopScalePage = () => <Scale type="room" what="商铺" />
export const PlaceScalePage = () => <Scale type="parkPlace" what="车位" />
export const AreaScalePage = () => <Scale type="publicArea" what="公共区域" />
