import { refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { writes } from '#kit/server/handler.ts'
import { removeProject } from '#kit/server/project-removal.ts'
import { findAll } from '#kit/server/table.ts'
import { estate } from '#modules/estates/contract/estate.ts'
import { nextProjectCode } from '#modules/estates/server/public.ts'
import { removeSample, startSample } from '../contract/sample.ts'
import { lockState } from './state.ts'

export const sampleHandlers = [
  writes(startSample, async (_, { tx, scope }) => {
    const before = await lockState(tx, scope)
    if (before.sampleCode) return refuse('已有示例数据，请先清除')
    const estates = await findAll(tx, estate, { ...scope, projectCode: '' })
    const projectCode = nextProjectCode(
      'DEMO',
      estates.map(e => e.projectCode),
    )
    await tx.execute(sql`
      update onboarding
      set sample_code = ${projectCode},
        sample_time = ${scope.time},
        update_time = ${scope.time},
        update_by = ${scope.operatorId}
      where owner_id = ${scope.ownerId}
    `)
    await audit(tx, scope, [
      { action: 'insert', entity: 'sampleProject', entityId: 0, projectCode, after: { projectCode } },
    ])
    return { projectCode }
  }),

  writes(removeSample, async (_, { tx, scope }) => {
    const { sampleCode, sampleTime } = await lockState(tx, scope)
    if (!sampleCode || !sampleTime) return refuse('没有示例数据')
    const rows = await removeProject(tx, scope, { projectCode: sampleCode, since: sampleTime })
    await tx.execute(sql`
      update onboarding
      set sample_code = null, sample_time = null, update_time = ${scope.time}, update_by = ${scope.operatorId}
      where owner_id = ${scope.ownerId}
    `)
    await audit(tx, scope, [
      {
        action: 'delete',
        entity: 'sampleProject',
        entityId: 0,
        before: { projectCode: sampleCode },
        after: { rows },
      },
    ])
    return { rows }
  }),
]
