import { KindPlanForm } from '#modules/planned-work/web/public.form.ts'
import { greeningKind } from './kind.ts'

/** 绿化计划表单 */
export default function WorkPlanFormPage() {
  return <KindPlanForm spec={greeningKind} />
}
