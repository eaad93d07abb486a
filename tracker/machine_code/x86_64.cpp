#include "tracker/machine_code/x86_64.hpp"

#include <string_view>

namespace tracker {
namespace {

// What follows an opcode.
//   .  nothing          m  a ModRM byte         b  a byte             w  two bytes
//   z  two or four      v  two, four or eight   8  ModRM and a byte   Z  ModRM and two or four
//   j  a distance of a byte                     J  one of four        o  an address of eight
//   3  three bytes      t  ModRM; the first two of its rows have a byte (T: two or four)
//   p  a prefix         !  no instruction, or one that compilers do not emit
constexpr std::string_view kOneByte =
    "mmmmbz!!mmmmbz!p"   // 00: 0F leads to the next table
    "mmmmbz!!mmmmbz!!"   // 10
    "mmmmbzp!mmmmbzp!"   // 20
    "mmmmbzp!mmmmbzp!"   // 30
    "pppppppppppppppp"   // 40: REX
    "................"   // 50
    "!!!mppp!zZb8...."   // 60: 67 would be addresses of four bytes
    "jjjjjjjjjjjjjjjj"   // 70
    "8Z!8mmmmmmmmmmmm"   // 80
    "..........!....."   // 90
    "oooo....bz......"   // A0
    "bbbbbbbbvvvvvvvv"   // B0
    "88w.!!8Z3.w..b!."   // C0: C4 and C5 are VEX
    "mmmm!!!.mmmmmmmm"   // D0
    "jjjjbbbbJJ!j...."   // E0
    "p.pp..tT......mm";  // F0
constexpr std::string_view kTwoBytes =
    "mmmm!...!!!.!m!!"   // 00
    "mmmmmmmmmmmmmmmm"   // 10
    "mmmm!!!!mmmmmmmm"   // 20
    "......!.p!p!!!!!"   // 30: 38 and 3A lead on
    "mmmmmmmmmmmmmmmm"   // 40
    "mmmmmmmmmmmmmmmm"   // 50
    "mmmmmmmmmmmmmmmm"   // 60
    "8888mmm.!!!!mmmm"   // 70
    "JJJJJJJJJJJJJJJJ"   // 80
    "mmmmmmmmmmmmmmmm"   // 90
    "...m8m!!...m8mmm"   // A0
    "mmmmmmmmmm8mmmmm"   // B0
    "mm8m888m........"   // C0
    "mmmmmmmmmmmmmmmm"   // D0
    "mmmmmmmmmmmmmmmm"   // E0
    "mmmmmmmmmmmmmmmm";  // F0
static_assert(kOneByte.size() == 256 && kTwoBytes.size() == 256);

constexpr std::uint64_t kInstructionBytesMax = 15;

class Decoder {
 public:
  Decoder(ByteView code, std::uint64_t begin) : code_(code), begin_(begin), at_(begin) {}

  std::optional<X86Instruction> decode() {
    const char rule = opcode();
    if (!follow(rule) || failed_) return {};
    found_.length = at_ - begin_;
    if (found_.length > kInstructionBytesMax || at_ > code_.size()) return {};
    if (found_.field_bytes == 1) {
      const int byte = code_.number<std::uint8_t>(begin_ + found_.field).value();
      found_.distance = byte < 128 ? byte : byte - 256;
    }
    if (found_.field_bytes == 4) found_.distance = code_.number<std::int32_t>(begin_ + found_.field).value();
    return found_;
  }

 private:
  std::uint8_t next() {
    const auto byte = code_.number<std::uint8_t>(at_);
    if (!byte) failed_ = true;
    ++at_;
    return byte.value_or(0);
  }

  std::uint8_t peek() const { return code_.number<std::uint8_t>(at_).value_or(0); }

  char opcode() {
    for (;;) {
      const std::uint8_t byte = next();
      if (failed_) return '!';
      if (byte == 0x66) is_short_ = true;
      if (byte == 0x64 || byte == 0x65) found_.has_thread_segment = true;
      if (byte == 0x0f) return two_bytes();
      if (byte == 0xc5) return by_vex(1);
      if (byte == 0xc4) return by_vex(2);
      if (byte == 0x62) return by_vex(3);
      if (byte == 0x8f && (peek() >> 3 & 7) != 0) return '!';  // XOP
      if (byte == 0xc7 && peek() == 0xf8) return '!';          // xbegin
      opcode_ = byte;
      if (kOneByte[byte] != 'p') return kOneByte[byte];
      const bool is_rex = byte >= 0x40 && byte < 0x50;  // it counts as the last prefix alone
      is_wide_ = is_rex && (byte & 8) != 0;
    }
  }

  char two_bytes() {
    const std::uint8_t byte = next();
    if (byte == 0x38) {
      next();
      return 'm';
    }
    if (byte == 0x3a) {
      next();
      return '8';
    }
    return kTwoBytes[byte];
  }

  // The prefixes of vectors: so many bytes, then an opcode of the map that the first of them names.
  char by_vex(int payload) {
    const std::uint8_t first = next();
    const int map = payload == 1 ? 1 : first & (payload == 3 ? 7 : 31);
    for (int i = 1; i < payload; ++i) next();
    const std::uint8_t byte = next();
    if (map == 3) return '8';
    if (map == 2 || map == 5 || map == 6) return 'm';
    if (map != 1) return '!';
    if (byte == 0x77) return payload == 3 ? '!' : '.';
    const bool has_byte = (byte >= 0x70 && byte <= 0x73) || byte == 0xc2 || (byte >= 0xc4 && byte <= 0xc6);
    return has_byte ? '8' : 'm';
  }

  std::uint64_t operand_bytes() const { return is_short_ && !is_wide_ ? 2 : 4; }

  bool follow(char rule) {
    switch (rule) {
      case '.':
        return true;
      case 'm':
        return modrm();
      case '8':
        return modrm() && skip(1);
      case 'Z':
        return modrm() && skip(operand_bytes());
      case 't':
        return modrm() && skip(row_ < 2 ? 1 : 0);
      case 'T':
        return modrm() && skip(row_ < 2 ? operand_bytes() : 0);
      case 'b':
        return skip(1);
      case 'w':
        return skip(2);
      case '3':
        return skip(3);
      case 'z':
        return skip(operand_bytes());
      case 'v':
        return skip(is_wide_ ? 8 : operand_bytes());
      case 'o':
        return skip(8);
      case 'j':
        return distance(X86Target::kJump, 1);
      case 'J':
        return distance(X86Target::kJump, 4);
      default:
        return false;
    }
  }

  bool skip(std::uint64_t count) {
    at_ += count;
    return true;
  }

  bool distance(X86Target target, std::uint64_t count) {
    found_.target = target;
    found_.field = at_ - begin_;
    found_.field_bytes = count;
    return skip(count);
  }

  bool modrm() {
    const std::uint8_t byte = next();
    const int mode = byte >> 6;
    const int operand = byte & 7;
    row_ = byte >> 3 & 7;
    if (mode == 3) return true;
    if (mode == 0 && operand == 5) {
      found_.is_jump_by_memory = opcode_ == 0xff && row_ == 4;
      return distance(X86Target::kMemory, 4);
    }
    const bool has_base = operand != 4 || (next() & 7) != 5 || mode != 0;
    return skip(mode == 1 ? 1 : mode == 2 || !has_base ? 4 : 0);
  }

  ByteView code_;
  std::uint64_t begin_;
  std::uint64_t at_;
  X86Instruction found_;
  std::uint8_t opcode_ = 0;
  int row_ = 0;
  bool is_short_ = false;
  bool is_wide_ = false;
  bool failed_ = false;
};

}  // namespace

std::optional<X86Instruction> decode_x86(ByteView code, std::uint64_t at) {
  return Decoder(code, at).decode();
}

}  // namespace tracker
