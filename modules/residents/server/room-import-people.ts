import { defined } from '#kit/domain/defined.ts'
import { labelOf } from '#kit/contract/field.ts'
import type { LineResult, ReadyLine } from '#kit/server/sheet-import.ts'
import { hasPermission } from '#kit/server/scope.ts'
import { registerPeopleImporter, type ImportedPerson } from '#modules/rooms/server/public.ts'
import type { ResidentSheetRow } from '../contract/import-export.ts'
import { nameRule, relation, type Relation } from '../contract/labels.ts'
import { menu } from '../module.ts'
import { residencyKey, loadImportPeople, type ExistingResident } from './import-read.ts'
import { writeImportRows } from './import-write.ts'

const relationKeys = Object.keys(relation.rows) as Relation[]

const relationOf = (word: string | undefined): Relation | undefined =>
  word === undefined ? 'owner' : relationKeys.find(r => labelOf(relation, r) === word)

// Lines of the room sheet bring the resident of their telephone (import mode 3): a known number is the known
// person, a new one needs its name (BASE-13).
registerPeopleImporter({
  relations: relationKeys.map(r => labelOf(relation, r)),
  open: async (db, ask, said) => {
    const people = await loadImportPeople(
      db,
      ask,
      said.map(s => ({ mobile: s.mobile })),
      [...new Set(said.flatMap(s => s.roomId ?? []))],
    )
    const { scope } = ask
    const by = new Map(said.map(s => [s.line, s]))
    const first = new Map<string, ImportedPerson>()
    for (const s of said) {
      if (s.mobile && s.name && !first.has(s.mobile)) {
        first.set(s.mobile, s)
      }
    }
    return {
      check: s => {
        if (
          !hasPermission(scope, menu.link.permissions.add) ||
          !hasPermission(scope, menu.resident.permissions.add)
        )
          return [
            {
              column: 'userMobile',
              says: '没有登记住户的权限',
              remedy: '请有权限的同事导入，或改选「覆盖房间资料」',
            },
          ]
        if (!s.mobile)
          return [
            { column: 'userMobile', says: '追加住户要填写手机号', remedy: '填写手机号，或清空住户各列' },
          ]
        const known = people.byMobile.get(s.mobile)
        const other = first.get(s.mobile)
        const bad = s.name && nameRule.test(s.name)
        if (!relationOf(s.relation))
          return [
            {
              column: 'userRelation',
              says: `没有「${s.relation}」这种关系`,
              remedy: `填 ${relationKeys.map(r => labelOf(relation, r)).join('、')} 之一，或留空`,
            },
          ]
        if (bad) return [{ column: 'userName', says: bad, remedy: '改成正确的姓名' }]
        if (known && !people.visibleIds.has(known.id))
          return [
            { column: 'userMobile', says: '该住户登记在其他项目，你不能查看', remedy: '请有权限的同事导入' },
          ]
        if (known && s.name && known.name !== s.name)
          return [{ column: 'userMobile', says: `已登记为「${known.name}」`, remedy: '核对姓名或号码' }]
        if (!known && other && s.name && other.name !== s.name)
          return [
            {
              column: 'userMobile',
              says: `与第 ${other.line} 行的「${other.name}」相同，姓名却不同`,
              remedy: '一个号码只能是一个人，核对姓名或号码',
            },
          ]
        return known || s.name || other
          ? []
          : [{ column: 'userName', says: '该手机号还没有登记，请填写住户姓名', remedy: '填写姓名' }]
      },
      apply: async (tx, placed) => {
        const rooms = new Map(placed.map(p => [p.line, p.room]))
        const ready = placed.map(({ line, room }): ReadyLine<ResidentSheetRow, ExistingResident> => {
          const s = defined(by.get(line))
          const known = people.byMobile.get(defined(s.mobile))
          return {
            line,
            existing: known && { person: known, link: people.links.get(residencyKey(known.id, room.id)) },
            row: {
              name: known?.name ?? s.name ?? defined(defined(first.get(defined(s.mobile))).name),
              mobile: s.mobile,
              relation: defined(relationOf(s.relation)),
              inDate: s.inDate,
              buildCode: room.buildCode,
              unitName: room.unitName,
              roomNo: room.roomNo,
            },
          }
        })
        const lineOf = new Map(ready.map(r => [r.row as object, r.line]))
        const done = await writeImportRows(tx, ask, 'skip', ready, row => rooms.get(defined(lineOf.get(row))))
        return new Map(
          ready.map(({ line, row }): [number, LineResult] => {
            const d = defined(done.get(line))
            return [
              line,
              d.did === 'added'
                ? { did: 'added', says: `已追加住户「${row.name}」` }
                : d.did === 'failed'
                  ? { did: 'failed', says: `住户未追加：${d.says}` }
                  : { did: 'skipped', says: `「${row.name}」已是该房间的住户` },
            ]
          }),
        )
      },
    }
  },
})
