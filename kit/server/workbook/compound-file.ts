import { damagedWorkbook } from './xml-scanner.ts'

/**
 * The named streams of a compound file, the container of xls and of encrypted workbooks. Layout: [MS-CFB].
 * Every chain is walked at most as many steps as the file has sectors: a hostile one may run in circles.
 */
export function readCompoundFile(file: Buffer): {
  names: readonly string[]
  read(name: string): Buffer | undefined
} {
  if (file.length < 1536) throw damagedWorkbook()
  const sectorSize = 1 << file.readUInt16LE(30)
  if (sectorSize !== 512 && sectorSize !== 4096) throw damagedWorkbook()
  const sectors = Math.floor(file.length / sectorSize)
  const sector = (n: number): Buffer => {
    const from = (n + 1) * sectorSize
    if (n < 0 || from >= file.length) throw damagedWorkbook()
    return file.subarray(from, from + sectorSize)
  }
  const fat = Buffer.concat(readFatSectors(file, sector, sectors, sectorSize).map(sector))
  const next = (table: Buffer, n: number) =>
    n * 4 + 4 <= table.length ? table.readUInt32LE(n * 4) : endOfChain
  function chain(first: number, table: Buffer, maxSectors: number): number[] {
    const found: number[] = []
    for (let n = first; n < firstReservedSector; n = next(table, n)) {
      if (found.length >= maxSectors) throw damagedWorkbook()
      found.push(n)
    }
    return found
  }
  const whole = (first: number) => Buffer.concat(chain(first, fat, sectors).map(sector))

  const directory = whole(file.readUInt32LE(48))
  const entries: { name: string; first: number; size: number; type: number }[] = []
  for (let at = 0; at + 128 <= directory.length; at += 128) {
    const type = directory[at + 66]
    const nameBytes = Math.max(0, Math.min(64, directory.readUInt16LE(at + 64)) - 2)
    if (type === 2 || type === 5) {
      entries.push({
        name: directory.toString('utf16le', at, at + nameBytes),
        type,
        first: directory.readUInt32LE(at + 116),
        size: directory.readUInt32LE(at + 120),
      })
    }
  }
  const smallest = file.readUInt32LE(56)
  return {
    names: entries.filter(e => e.type === 2).map(e => e.name),
    read(name) {
      const entry = entries.find(e => e.type === 2 && e.name === name)
      if (entry === undefined) return undefined
      if (entry.size > file.length) throw damagedWorkbook()
      if (entry.size >= smallest) return whole(entry.first).subarray(0, entry.size)
      const root = entries.find(e => e.type === 5)
      const small = root === undefined ? Buffer.alloc(0) : whole(root.first)
      const table = whole(file.readUInt32LE(60))
      return Buffer.concat(
        chain(entry.first, table, Math.ceil(small.length / 64)).map(n => small.subarray(n * 64, n * 64 + 64)),
      ).subarray(0, entry.size)
    },
  }
}

const endOfChain = 0xfffffffe

/** Numbers from here on are marks (free, end, table), not sectors. */
const firstReservedSector = 0xfffffffa

function readFatSectors(
  file: Buffer,
  sector: (n: number) => Buffer,
  sectors: number,
  sectorSize: number,
): number[] {
  const found: number[] = []
  for (let at = 76; at < 512; at += 4) {
    found.push(file.readUInt32LE(at))
  }
  let nextTable = file.readUInt32LE(68)
  for (let steps = 0; nextTable < firstReservedSector; steps++) {
    if (steps > sectors) throw damagedWorkbook()
    const table = sector(nextTable)
    for (let at = 0; at < sectorSize - 4; at += 4) {
      found.push(table.readUInt32LE(at))
    }
    nextTable = table.readUInt32LE(sectorSize - 4)
  }
  return found.filter(n => n < firstReservedSector)
}
