import { parseId } from '#kit/domain/id.ts'
import { refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { sql } from '#kit/server/db.ts'
import { reads } from '#kit/server/handler.ts'
import { createLabelSheet } from '#kit/server/label-sheet.ts'
import { findAll } from '#kit/server/table.ts'
import { maxLabels, patrolPoint, patrolPoints, printPointLabels } from '../contract/point.ts'
import { paths } from '../module.ts'
import { loadCodes } from './point-codes.ts'

/** The address of the page of the person who walks, which finds the point by its code. */
export const labelContent = (address: string | undefined, code: string): string =>
  address ? `${address}${paths.walk}?code=${code}` : code

export const labelHandlers = [
  reads(printPointLabels, async ({ ids, address, ...query }, { db, scope, today, app }) => {
    const points = await findAll(db, patrolPoint, scope, query, {
      filters: patrolPoints.filters,
      where: [
        // Where nobody may sign by a QR code a label would be refused.
        sql`t.sign_types && array['qr']::text[]`,
        ...(ids?.length ? [sql`t.id = any(${ids.map(parseId)})`] : []),
      ],
      limit: maxLabels + 1,
    })
    if (!points.length) return refuse('无签到方式含二维码的点位，请调整筛选条件或点位的签到方式')
    if (points.length > maxLabels) return refuse(`一次最多打印 ${maxLabels} 张标签，请缩小筛选范围`)
    const codes = await loadCodes(
      db,
      scope,
      points.map(point => point.id),
    )
    await app.database.tx(scope.ownerId, tx =>
      audit(
        tx,
        scope,
        points.map(({ id, projectCode }) => ({
          action: 'export' as const,
          entity: 'patrolPoint',
          entityId: id,
          projectCode,
          after: { labels: 1 },
        })),
      ),
    )
    return createLabelSheet(
      { name: `巡更点二维码_${today.replaceAll('-', '')}.pdf`, title: '巡更点二维码' },
      points.map(point => ({
        code: labelContent(address, codes.get(point.id) ?? ''),
        kind: point.state === 'off' ? '巡更点（已停用）' : '巡更点',
        title: point.pointName,
        place: point.areaName,
        notes: [point.pointCode, point.estateName],
      })),
    )
  }),
]
