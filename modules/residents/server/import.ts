import type { Line } from '#kit/contract/sheet-read.ts'
import type { Importer } from '#kit/server/import-job.ts'
import { inProject, outside } from '#kit/server/scope.ts'
import { importResidents, ofProject, residentSheet, type ResidentLine } from '../contract/transfer.ts'
import { certOf, completed, personFaults } from '../domain/person.ts'
import { linkFaults } from '../domain/residency.ts'
import {
  buildingsCalled,
  linkKey,
  nameKey,
  peopleOf,
  personKey,
  placesOf,
  type People,
  type Row,
  type There,
} from './import-read.ts'
import { writeLines } from './import-write.ts'

type Fault = { readonly column: string; readonly says: string; readonly remedy: string }

const columnOf: Readonly<Record<string, string>> = {
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

export const residentImporter: Importer<ResidentLine, typeof ofProject, There> = {
  kind: 'residents.resident',
  calls: importResidents,
  sheet: residentSheet,
  quiet: ['nation', 'education', 'workUnit', 'email', 'address', 'emergencyName', 'emergencyPhone'],
  options: async (db, ask) => {
    const { mine } = await placesOf(db, ask, false)
    return {
      buildCode: mine.map(b => b.name),
      unitName: [...new Set(mine.flatMap(b => b.units.map(u => u.name)))],
    }
  },
  open: async (db, ask, _lines, lock) => {
    const {
      scope,
      today,
      mode,
      more: { projectCode },
    } = ask
    if (!inProject(scope.domain, projectCode)) throw outside()
    const places = await placesOf(db, ask, lock)
    let people: People
    // What lines of one file say against each other: by person, by room.
    const names = new Map<string, { name: string; line: number }>()
    const nameless = new Map<string, number>()
    const firsts = { isMain: new Map<number, number>(), isPayer: new Map<number, number>() }
    const lineOf = new WeakMap<object, number>()
    const thereFor = (row: Row): There | undefined => {
      const r = places.roomOf(row)
      const cert = row.certNo && certOf(row.certNo)
      const person =
        (row.mobile ? people.byMobile.get(row.mobile) : undefined) ??
        (cert ? people.byCert.get(cert) : undefined) ??
        (!row.mobile && !cert && r ? people.inRoom.get(nameKey(row.name ?? '', r.id)) : undefined)
      return person && { person, link: r && people.links.get(linkKey(person.id, r.id)) }
    }
    return {
      find: (key, name) => (key === 'buildCode' ? buildingsCalled(places.mine, name) : []),
      there: async settled => {
        await places.read(settled as readonly Line<Row>[])
        const rooms = settled.flatMap(l => places.roomOf(l.row)?.id ?? [])
        people = await peopleOf(
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
          if (!key && r && !nameless.has(nameKey(l.row.name ?? '', r.id))) {
            nameless.set(nameKey(l.row.name ?? '', r.id), l.line)
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
      check: (row, there) => {
        const faults: Fault[] = []
        const fault = (column: string, says: string, remedy: string): void => {
          faults.push({ column, says, remedy })
        }
        for (const f of personFaults(completed(row), today)) {
          fault(columnOf[f.Field] ?? 'name', f.Message, '改成正确的值，或留空')
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
            people.mine.has(there.person.id)
              ? `已登记为「${there.person.name}」`
              : '已登记在其他项目，姓名不同',
            '核对姓名或号码',
          )
        } else if (there && personKey(row) && !people.mine.has(there.person.id)) {
          fault(row.mobile ? 'mobile' : 'certNo', '该住户登记在其他项目，你不能查看', '请有权限的同事导入')
        }
        if (there && row.certNo && there.person.certNo && there.person.certNo !== certOf(row.certNo)) {
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
        for (const f of linkFaults(row as never, today)) {
          fault(columnOf[f.Field] ?? 'relation', f.Message, '核对后修改')
        }
        if (r && !key && line !== undefined && nameless.get(nameKey(row.name ?? '', r.id)) !== line) {
          fault(
            'name',
            `与第 ${nameless.get(nameKey(row.name ?? '', r.id))} 行是同一个房间的同名住户`,
            '填写手机号或证件号以区分，或删去重复的行',
          )
        }
        for (const [what, label, held] of [
          ['isMain', '主业主', people.mains],
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
      apply: (tx, ready) => writeLines(tx, ask, mode, ready, row => places.roomOf(row)),
    }
  },
}
