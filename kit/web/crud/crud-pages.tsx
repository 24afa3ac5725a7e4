import type { ComponentType } from 'react'
import type { Fields, ValueOf } from '#kit/contract/field.ts'
import { lazyComponent } from '../lazy-component.tsx'
import { RowSkeleton } from '../list/list-feedback.tsx'
import { CrudList } from './crud-list.tsx'
import { buildCrudModel, type CrudModel } from './crud-model.tsx'
import type { CrudWebOptions, ShownCrud } from './crud-spec.ts'

const waiting = <RowSkeleton rows={8} />
const loadForm = () => import('./crud-form.tsx')
const AddPage = lazyComponent(() => loadForm().then(m => m.AddPage), waiting)
const EditPage = lazyComponent(() => loadForm().then(m => m.EditPage), waiting)
const DetailPage = lazyComponent(() => import('./crud-detail.tsx').then(m => m.CrudDetail), waiting)

export interface CrudPages {
  readonly List: ComponentType
  readonly Add: ComponentType
  readonly Edit: ComponentType
  readonly Detail: ComponentType
  /** For lists inside other screens. */
  readonly model: CrudModel
}

/**
 * The screens of an entity: list, form and detail with their columns, filters, groups and actions from the
 * entity and its calls; what is given here replaces a default. `crudRoutes` opens them.
 */
export function crudPages<F extends Fields, Q, N, D>(
  crud: ShownCrud<F, Q, N, D>,
  options: CrudWebOptions<ValueOf<F>, Q, N>,
): CrudPages {
  const model = buildCrudModel(crud, options)
  return {
    List: () => <CrudList model={model} />,
    Add: () => <AddPage model={model} />,
    Edit: () => <EditPage model={model} />,
    Detail: () => <DetailPage model={model} />,
    model,
  }
}
