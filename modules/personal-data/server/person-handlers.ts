import type { Id } from '#kit/domain/id.ts'
import { audit } from '#kit/server/audit.ts'
import { reads } from '#kit/server/handler.ts'
import { personKinds } from '#kit/server/personal-data/registry.ts'
import { requirePersonalData } from '#kit/server/privacy.ts'
import { exportPerson, findPeople, getPersonReport } from '../contract/person.ts'
import { isTelephone } from '../domain/identifiers.ts'
import { requireWholeDomain } from './access.ts'
import { requireKnownPerson } from './known-person.ts'
import { findMentions } from './mentions.ts'
import { contactKind, latestOfEach, searchPeople, type PersonKey, type RecordedPerson } from './person.ts'
import { exportPersonFile } from './person-export.ts'
import { reportPerson, sharedIdentifiers, transientTexts } from './report.ts'

export const kindLabelOf = (entity: string): string =>
  personKinds().find(kind => kind.entity === entity)?.label ?? '联系人'

const shownPerson = ({ entity, id, name, place, mobiles, idCards, isDeleted }: RecordedPerson) => ({
  personKind: entity,
  personId: id,
  kindLabel: kindLabelOf(entity),
  name,
  isDeleted,
  ...(place === undefined ? {} : { place }),
  ...(mobiles[0] === undefined ? {} : { mobile: mobiles[0] }),
  ...(idCards[0] === undefined ? {} : { idCard: idCards[0] }),
})

interface PersonInput {
  readonly personKind: string
  readonly personId: Id
  readonly personName?: string | undefined
  readonly personMobile?: string | undefined
}

export const keyOfInput = ({ personKind, personId, personName, personMobile }: PersonInput): PersonKey => ({
  entity: personKind,
  id: personId,
  name: personName,
  mobile: personMobile,
})

export const personHandlers = [
  reads(findPeople, async ({ keyword }, { db, scope }) => {
    requireWholeDomain(scope)
    const text = keyword.trim()
    const found = await searchPeople(db, scope.ownerId, text)
    if (found.length || !isTelephone(text)) return found.map(shownPerson)
    const { person, tables } = await requireKnownPerson(db, scope.ownerId, {
      entity: contactKind,
      id: 0,
      mobile: text,
    })
    return (await findMentions(db, person, tables)).length ? person.records.map(shownPerson) : []
  }),

  reads(getPersonReport, async (input, { db, scope }) => {
    requireWholeDomain(scope)
    const { person, tables } = await requireKnownPerson(db, scope.ownerId, keyOfInput(input))
    return {
      records: latestOfEach(person.records).map(shownPerson),
      tables: await reportPerson(db, person, tables),
      transient: transientTexts(),
      sharedIdentifiers: sharedIdentifiers(person),
      mentionCount: (await findMentions(db, person, tables)).length,
    }
  }),

  reads(exportPerson, async (input, { db, scope, app }) => {
    requireWholeDomain(scope)
    requirePersonalData(scope)
    const { person, tables } = await requireKnownPerson(db, scope.ownerId, keyOfInput(input))
    await app.database.tx(scope.ownerId, tx =>
      audit(tx, scope, [
        { action: 'export', entity: input.personKind, entityId: input.personId, reason: '导出个人信息' },
      ]),
    )
    return exportPersonFile(db, app, person, tables)
  }),
]
