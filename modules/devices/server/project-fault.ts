import type { FieldFault } from '#kit/contract/wire.ts'
import type { WriteContext } from '#kit/server/handler.ts'
import { findByKey } from '#kit/server/table.ts'
import { estate } from '#modules/estates/contract/estate.ts'

/** What is new is in a project that there is. */
export async function projectFaults(
  { projectCode }: { readonly projectCode: string },
  { tx, scope }: WriteContext,
  before: unknown,
): Promise<FieldFault[]> {
  return before || (await findByKey(tx, estate, scope, projectCode, projectCode))
    ? []
    : [{ Field: 'ProjectCode', Message: '项目不存在，请重新选择' }]
}
