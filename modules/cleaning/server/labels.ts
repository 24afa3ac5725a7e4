import { refuse } from '#kit/contract/wire.ts'
import { audit } from '#kit/server/audit.ts'
import { reads } from '#kit/server/handler.ts'
import { createLabelSheet, type QrLabel } from '#kit/server/label-sheet.ts'
import { sql } from '#kit/server/db.ts'
import { findAll } from '#kit/server/table.ts'
import { parseId } from '#kit/domain/id.ts'
import {
  cleaningLocation,
  cleaningLocations,
  findPointOfCode,
  maxLabels,
  printLocationLabels,
  type CleaningLocation,
} from '../contract/location.ts'
import { paths } from '../module.ts'

/** What the sign of a point says: the address of its inspection on the phone, else its code alone. */
export const signText = (address: string | undefined, { qrCode }: Pick<CleaningLocation, 'qrCode'>): string =>
  address ? `${address}${paths.phone}?point=${qrCode}` : (qrCode ?? '')

export const labelOfLocation = (location: CleaningLocation, address: string | undefined): QrLabel => ({
  code: signText(address, location),
  kind: location.state === 'off' ? '保洁点位（已停用）' : '保洁点位',
  title: location.locationName,
  place: [location.buildName, location.floorNum === undefined ? undefined : `${location.floorNum} 层`]
    .filter(Boolean)
    .join(' '),
  notes: [location.templateName],
})

export const labelHandlers = [
  reads(findPointOfCode, async ({ code }, { db, scope }) => {
    const where = [sql`t.qr_code = ${code}`]
    const [found] = await findAll(db, cleaningLocation, scope, {}, { where, limit: 1 })
    return found ?? refuse('二维码无效，请扫描保洁点位上的二维码')
  }),
  reads(printLocationLabels, async ({ ids, address, ...query }, { db, scope, today, app }) => {
    const found = await findAll(db, cleaningLocation, scope, query, {
      filters: cleaningLocations.filters,
      where: ids ? [sql`t.id = any(${ids.map(parseId)})`] : [],
      limit: maxLabels + 1,
    })
    if (!found.length) return refuse('无符合条件的保洁点位，请调整筛选条件')
    if (found.length > maxLabels) return refuse(`一次最多打印 ${maxLabels} 张，请按楼栋筛选后分次打印`)
    await app.database.tx(scope.ownerId, tx =>
      audit(tx, scope, [
        {
          action: 'export',
          entity: 'cleaningLocation',
          entityId: 0,
          projectCode: query.projectCode,
          after: { labels: found.length },
        },
      ]),
    )
    return createLabelSheet(
      { name: `保洁点位二维码_${today.replaceAll('-', '')}.pdf`, title: '保洁点位二维码' },
      found.map(location => labelOfLocation(location, address)),
    )
  }),
]
