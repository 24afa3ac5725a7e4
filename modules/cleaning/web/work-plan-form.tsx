import { KindPlanForm } from '#modules/planned-work/web/public.form.ts'
import { cleaningKind } from './kind.ts'

/** 保洁计划表单 */
export default function WorkPlanFormPage() {
  return <KindPlanForm spec={cleaningKind} />
}
