import { randomBytes } from 'node:crypto'
import type { Id } from '#kit/domain/id.ts'
import { crudHandlers } from '#kit/server/crud.ts'
import { defineImport } from '#kit/server/crud-import.ts'
import { sql, type Db } from '#kit/server/db.ts'
import { disablingFaults, registerDependentRows } from '#kit/server/dependents.ts'
import { hasPermission, type Scope } from '#kit/server/scope.ts'
import { code as codeOf, notDeleted } from '#kit/server/sql.ts'
import { findAll } from '#kit/server/table.ts'
import type { Building } from '#modules/estates/contract/building.ts'
import type { Estate } from '#modules/estates/contract/estate.ts'
import { findPlannedTargets, lockGeneration } from '#modules/planned-work/server/public.ts'
import { staffState } from '#modules/staff/contract/labels.ts'
import { openSheetPlaces } from '#modules/rooms/server/public.ts'
import {
  cleaningLocation,
  cleaningLocations,
  exportLocations,
  importLocations,
  type CleaningLocation,
} from '../contract/location.ts'
import { menu } from '../module.ts'
import { cleaningTemplate } from '../contract/template.ts'

/** A sign of its own for a new point. */
const newSign = (): Pick<CleaningLocation, 'qrCode'> => ({ qrCode: randomBytes(12).toString('hex') })

/** What a point is called in a sheet: its name, on its floor, in its building or outside. */
const placeOf = ({
  locationName,
  buildCode,
  floorNum,
}: Partial<Pick<CleaningLocation, 'locationName' | 'buildCode' | 'floorNum'>>): string =>
  JSON.stringify([locationName, buildCode ?? '', floorNum ?? 0])

/** Who cleans: by the name of somebody who has not left. */
const loadStaffNames = (db: Db, { ownerId }: Scope) =>
  db.rows<{ id: Id; name: string }>(sql`
    select id, name
    from staff
    where owner_id = ${ownerId} and state <> ${codeOf(staffState, 'left')} and ${notDeleted()}
  `)

const locationImport = defineImport(cleaningLocations, importLocations, {
  load: async (db, { scope, extraInput: { projectCode } }, lock, lines) => {
    const locations = await findAll(db, cleaningLocation, scope, { projectCode })
    const existing = new Map(locations.map(location => [placeOf(location), location] as const))
    const switchedOff = lines.filter(({ row }) => row.state === 'off')
    return {
      existing,
      places: await openSheetPlaces(db, scope, projectCode, lock),
      templates: await findAll(db, cleaningTemplate, scope),
      staff: await loadStaffNames(db, scope),
      planned: await findPlannedTargets(
        db,
        scope,
        'cleaningPoint',
        switchedOff.length ? locations.map(({ id }) => id) : [],
      ),
    }
  },
  find: (row, { data }) => data.existing.get(placeOf(row)),
  references: {
    buildCode: (name, { places }) => places.buildingsNamed(name),
    templateId: (name, { templates }) =>
      templates.filter(({ templateName }) => templateName === name).map(({ id }) => id),
    staffId: (name, { staff }) => staff.filter(person => person.name === name).map(({ id }) => id),
  },
  // What a line is skipped for changes nothing.
  rules: (row, existing, { data: { planned }, request: { mode } }) =>
    mode !== 'skip' && existing?.state === 'on' && row.state === 'off' && planned.has(existing.id)
      ? [{ column: 'state', message: '启用的保洁计划正在使用该点位', remedy: '先停用计划或更换点位' }]
      : [],
  values: (row, _, existing) => ({ ...row, ...(existing ? {} : newSign()) }),
})

export const locationServer = crudHandlers(cleaningLocations, {
  // What a label says is for who prints labels.
  enrich: async (points, { scope }) =>
    hasPermission(scope, menu.location.permissions.label)
      ? points
      : points.map(point => ({ ...point, qrCode: undefined })),
  unique: { cleaning_location_name_live: '该楼层已有同名保洁点位' },
  refusesChangeOf: ['projectCode'],
  lock: ({ tx, scope }) => lockGeneration(tx, scope),
  check: (draft, c, before) => disablingFaults(c, cleaningLocation, draft, before),
  beforeInsert: newSign,
  import: locationImport,
  export: exportLocations,
})

// BASE-5
registerDependentRows('estate', {
  label: '保洁点位',
  table: 'cleaning_location',
  where: ({ projectCode }: Estate) => sql`project_code = ${projectCode}`,
})
registerDependentRows('building', {
  label: '保洁点位',
  table: 'cleaning_location',
  where: ({ projectCode, code }: Building) => sql`project_code = ${projectCode} and build_code = ${code}`,
})
