import * as block from './block.ts'
import * as card from './card.ts'
import * as care from './care.ts'
import * as move from './move.ts'
import * as residency from './residency.ts'
import * as resident from './resident.ts'
import * as transfer from './transfer.ts'
import { ticketState, wechatCalls } from './wechat.ts'
import * as words from './words.ts'

export const contract = {
  calls: [
    resident.listResidents, resident.oneResident, resident.addResident, resident.editResident, resident.deleteResidents, resident.addFamily, resident.sameResidents,
    care.changeMobile, care.duplicates, care.mergeResidents, care.residentPanel, care.statistics, care.pickResidents,
    residency.listResidencies, residency.homesOf, residency.usersInRoom, residency.addResidency, residency.editResidency, residency.deleteResidencies, residency.auditResidencies, residency.applyAgain, residency.listMovements,
    move.planMove, move.checkOut, move.checkInAgain, move.transferRoom,
    block.listBlocks, block.addBlock, block.deleteBlocks, block.updateBlock,
    card.listCards, card.cardsOf, card.cardTypes, card.saveCard, card.changeCards, card.deleteCards, card.listFaces, card.listStaffFaces, card.saveFace, card.saveStaffFace, card.deleteFaces,
    ...wechatCalls, ...transfer.importResidents.calls, ...transfer.exportResidents.calls,
  ],
  entities: [resident.resident, residency.residency, residency.residencyLog, block.residentBlock, card.identityCard, card.faceKey],
  choices: [ticketState, words.gender, words.userType, words.certType, words.userSource, words.residentState, words.relation, words.linkStatus, words.applySource, words.movement, words.blockScope, words.cardType, words.cardState, words.faceState, words.moveKind],
}
