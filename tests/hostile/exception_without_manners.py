# reason: any
class Rude(BaseException):
    def __str__(self):
        raise self

    __repr__ = __str__

    def __getattribute__(self, name):
        raise Rude


raise Rude
