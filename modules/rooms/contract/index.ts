import * as board from './board.ts'
import * as change from './change.ts'
import * as room from './room.ts'
import * as transfer from './transfer.ts'
import * as words from './words.ts'

export const contract = {
  calls: [
    room.listRooms,
    room.findRooms,
    room.oneRoom,
    room.addRoom,
    room.editRoom,
    room.deleteRooms,
    room.previewBatch,
    room.addBatch,
    change.changeAreas,
    change.listChanges,
    change.cancelChanges,
    change.changeState,
    board.boardBuildings,
    board.roomBoard,
    board.roomPanel,
    board.positionNodes,
    ...transfer.importRooms.calls,
    ...transfer.exportRooms.calls,
    ...transfer.exportShops.calls,
  ],
  entities: [room.room, change.roomChange],
  choices: [
    words.roomType,
    words.roomState,
    words.useType,
    words.sceneType,
    words.placeKind,
    words.nodeLevel,
    words.changeItem,
    words.payerKind,
    words.duplicateMode,
    board.sectionTone,
  ],
}
