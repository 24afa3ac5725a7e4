import type { ImportDefinition } from '#kit/server/sheet-import.ts'
import { hasProject, outOfDomain } from '#kit/server/scope.ts'
import {
  importResidents,
  importProjectInput,
  residentSheet,
  type ResidentSheetRow,
} from '../contract/import-export.ts'
import { normalizeCertNo, completeFromCert, personFaults } from '../domain/person.ts'
import { residencyFaults } from '../domain/residency.ts'
import {
  findBuildingCodesByName,
  residencyKey,
  nameInRoomKey,
  loadImportPeople,
  personKey,
  createImportRooms,
  type ImportPeople,
  type ImportRow,
  type ExistingResident,
} from './import-read.ts'
import { writeImportRows } from './import-write.ts'

type ImportFault = { readonly column: string; readonly says: string; readonly remedy: string }

const columnByField: Readonly<Record<string, string>> = {
  Mobile: 'mobile',
  CertNo: 'certNo',
  Birthday: 'birthday',
  Phone2: 'phone2',
  EmergencyPhone: 'emergencyPhone',
  InDate: 'inDate',
  LeaseBegin: 'leaseBegin',
  LeaseEnd: 'leaseEnd',
  IsMain: 'isMain',
}

export const residentImporter: ImportDefinition<
  ResidentSheetRow,
  typeof importProjectInput,
  ExistingResident
> = {
  kind: 'residents.resident',
  calls: importResidents,
  sheet: residentSheet,
  hiddenInTemplate: [
    'nation',
    'education',
    'workUnit',
    'email',
    'address',
    'emergencyName',
    'emergencyPhone',
  ],
  templateOptions: async (db, ask) => {
    const { visibleBuildings } = await createImportRooms(db, ask, false)
    return {
      buildCode: visibleBuildings.map(b => b.name),
      unitName: [...new Set(visibleBuildings.flatMap(b => b.units.map(u => u.name)))],
    }
  },
  openSession: async (db, ask, _lines, lock) => {
    const {
      scope,
      today,
      mode,
      more: { projectCode },
    } = ask
    if (!hasProject(scope.domain, projectCode)) throw outOfDomain()
    const places = await createImportRooms(db, ask, lock)
    let people: ImportPeople
    // What lines of one file say against each other: by person, by room.
    const names = new Map<string, { name: string; line: number }>()
    const nameless = new Map<string, number>()
    const firsts = { isMain: new Map<number, number>(), isPayer: new Map<number, number>() }
    const lineOf = new WeakMap<object, number>()
    const thereFor = (row: ImportRow): ExistingResident | undefined => {
      const r = places.roomOf(row)
      const cert = row.certNo && normalizeCertNo(row.certNo)
      const person =
        (row.mobile ? people.byMobile.get(row.mobile) : undefined) ??
        (cert ? people.byCert.get(cert) : undefined) ??
        (!row.mobile && !cert && r ? people.inRoom.get(nameInRoomKey(row.name ?? '', r.id)) : undefined)
      return person && { person, link: r && people.links.get(residencyKey(person.id, r.id)) }
    }
    return {
      findReferences: (key, name) =>
        key === 'buildCode' ? findBuildingCodesByName(places.visibleBuildings, name) : [],
      findExisting: async settled => {
        await places.load(settled)
        const rooms = settled.flatMap(l => places.roomOf(l.row)?.id ?? [])
        people = await loadImportPeople(
          db,
          ask,
          settled.map(l => l.row),
          [...new Set(rooms)],
        )
        for (const l of settled) {
          lineOf.set(l.row, l.line)
          const key = personKey(l.row)
          const r = places.roomOf(l.row)
          if (key && !names.has(key)) {
            names.set(key, { name: l.row.name ?? '', line: l.line })
          }
          if (!key && r && !nameless.has(nameInRoomKey(l.row.name ?? '', r.id))) {
            nameless.set(nameInRoomKey(l.row.name ?? '', r.id), l.line)
          }
          for (const what of ['isMain', 'isPayer'] as const) {
            if (r && l.row[what] && !firsts[what].has(r.id)) {
              firsts[what].set(r.id, l.line)
            }
          }
        }
        return new Map(
          settled.flatMap(l => {
            const t = thereFor(l.row)
            return t ? [[l.line, t] as const] : []
          }),
        )
      },
      checkRow: (row, there) => {
        const faults: ImportFault[] = []
        const fault = (column: string, says: string, remedy: string): void => {
          faults.push({ column, says, remedy })
        }
        for (const f of personFaults(completeFromCert(row), today)) {
          fault(columnByField[f.Field] ?? 'name', f.Message, '改成正确的值，或留空')
        }
        // A masked number says nothing about who is meant.
        if (row.mobile?.includes('**') || row.certNo?.includes('**')) return faults
        const key = personKey(row)
        const first = key ? names.get(key) : undefined
        const line = lineOf.get(row)
        if (first && first.name !== row.name) {
          fault(
            row.mobile ? 'mobile' : 'certNo',
            `与第 ${first.line} 行的「${first.name}」相同，姓名却不同`,
            '一个号码只能是一个人，核对姓名或号码',
          )
        }
        if (there && there.person.name !== row.name) {
          fault(
            row.mobile && there.person.mobile === row.mobile ? 'mobile' : 'certNo',
            people.visibleIds.has(there.person.id)
              ? `已登记为「${there.person.name}」`
              : '已登记在其他项目，姓名不同',
            '核对姓名或号码',
          )
        } else if (there && personKey(row) && !people.visibleIds.has(there.person.id)) {
          fault(row.mobile ? 'mobile' : 'certNo', '该住户登记在其他项目，你不能查看', '请有权限的同事导入')
        }
        if (
          there &&
          row.certNo &&
          there.person.certNo &&
          there.person.certNo !== normalizeCertNo(row.certNo)
        ) {
          fault('certNo', '与系统里该住户的证件号不同', '核对证件号，或在住户资料里修改')
        }
        const said = [row.buildCode, row.unitName, row.roomNo].filter(x => x !== undefined).length
        const r = places.roomOf(row)
        if (said > 0 && said < 3) {
          fault(
            row.roomNo ? (row.buildCode ? 'unitName' : 'buildCode') : 'roomNo',
            '楼栋、单元、房号要一起填写',
            '补全，或都留空只登记人',
          )
        } else if (said === 3 && !r) {
          fault(
            'roomNo',
            `没有房间「${row.unitName}单元 ${row.roomNo}」`.replace('单元单元', '单元'),
            '核对楼栋、单元和房号，或先导入房间',
          )
        } else if (r?.state === 20) {
          fault('roomNo', `房间「${r.path}」已停用`, '先启用该房间')
        }
        if (r && !row.relation) {
          fault('relation', '关系不能为空', '填 业主、家属、租户、租户家属、员工、其他 之一')
        }
        for (const f of residencyFaults(row, today)) {
          fault(columnByField[f.Field] ?? 'relation', f.Message, '核对后修改')
        }
        if (r && !key && line !== undefined && nameless.get(nameInRoomKey(row.name ?? '', r.id)) !== line) {
          fault(
            'name',
            `与第 ${nameless.get(nameInRoomKey(row.name ?? '', r.id))} 行是同一个房间的同名住户`,
            '填写手机号或证件号以区分，或删去重复的行',
          )
        }
        for (const [what, label, held] of [
          ['isMain', '主业主', people.mainOwners],
          ['isPayer', '缴费人', people.payers],
        ] as const) {
          if (!r || !row[what]) continue
          if (firsts[what].get(r.id) !== line) {
            fault(what, `第 ${firsts[what].get(r.id)} 行已是该房间的${label}`, `一个房间只有一位${label}`)
          }
          const other = held.get(r.id)
          if (what === 'isMain' && other !== undefined && other !== there?.person.id) {
            fault(what, '该房间已有主业主', '改为否；换业主请用「过户」')
          }
        }
        return faults
      },
      apply: (tx, ready) => writeImportRows(tx, ask, mode, ready, row => places.roomOf(row)),
    }
  },
}
