package dbx

// KeepWarmEvery is KeepWarm with a pause of its own.
var KeepWarmEvery = keepWarm
